import { writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerStop, type JudgedStop } from '../answer-stop.ts';
import { internalErrorMessage } from '../feedback/person-message.ts';
import { DEFAULT_DEADLINE_SECONDS, readStopEvent, writeAnswer } from '../hosts/claude-code.ts';
import { writeTrellisAnswer } from '../hosts/trellis.ts';
import type { HostName, StopEvent } from '../loop/stop-event.ts';
import { runCommand } from '../process/run-command.ts';
import { recordOf, writeLog } from './hook-log.ts';
import { type HookOptions, parseHookOptions } from './hook-options.ts';
import { readStdin } from './hook-stdin.ts';

/**
 * `ralph-loop hook`: one event on stdin, one answer on stdout, one line in the execution log, exit 0. Ends the
 * process. A host that ends the hook gets no answer; the gates' processes are gone before the hook is.
 */
export async function hook(args: readonly string[]): Promise<never> {
  const options = parseHookOptions(args);
  const told = listenForEnd();
  const input = readInput();
  const event = 'event' in input ? input.event : undefined;
  const cwd = process.cwd();
  const judged = 'event' in input ? await judge(input.event, options, cwd, told.signal) : ignored(input.why);
  if (!told.signal.aborted) write(1, format(judged, event?.host ?? 'unknown', options));
  const record = recordOf(
    event,
    { ...judged, notes: [...options.notes, ...(judged.notes ?? [])] },
    told.signal.aborted,
    new Date(),
  );
  if (options.verbose) write(2, `ralph-loop hook: ${JSON.stringify(record, null, 2)}\n`);
  // A log that cannot be written anywhere must not change the answer, which is out already.
  await writeLog(judged.root, event?.cwd ?? cwd, record).catch(() => {});
  process.exit(told.exitCode());
}

function readInput(): { readonly event: StopEvent } | { readonly why: string } {
  try {
    return readStopEvent(JSON.parse(readStdin()), process.env);
  } catch (error) {
    return { why: `stdin is not JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}

async function judge(
  event: StopEvent,
  options: HookOptions,
  cwd: string,
  signal: AbortSignal,
): Promise<JudgedStop> {
  const seconds = options.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS;
  try {
    return await answerStop(event, {
      runCommand,
      now: () => new Date(),
      env: process.env,
      cwd,
      spareDirectory: join(tmpdir(), `ralph-loop-${process.getuid?.() ?? 'user'}`),
      // performance.now() counts from the start of the process, close to when the host's clock started.
      deadline: { seconds, atMs: seconds * 1000 },
      signal,
    });
  } catch (error) {
    // A fault of ours must not keep the agent from stopping, and must not pass unseen.
    const notes = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return {
      answer: { decision: 'allow', why: 'internal-error', toPerson: internalErrorMessage(error) },
      root: undefined,
      notes,
    };
  }
}

function ignored(why: string): JudgedStop {
  return { answer: { decision: 'ignore', why }, root: undefined };
}

function format({ answer, attempt }: JudgedStop, host: HostName, options: HookOptions): string {
  return options.format === 'trellis'
    ? writeTrellisAnswer(answer, attempt?.maxIterations ?? 0)
    : writeAnswer(answer, host);
}

/** Hosts end a hook with SIGTERM; a person who runs it by hand, with Ctrl-C. */
function listenForEnd(): { signal: AbortSignal; exitCode(): number } {
  const controller = new AbortController();
  let exitCode = 0;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => {
      exitCode = 128 + constants.signals[name];
      controller.abort();
    });
  return { signal: controller.signal, exitCode: () => exitCode };
}

/** Writes past Node's streams, which cost time to set up; the descriptor may be a pipe that is full for a moment. */
function write(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // EPIPE: the host is gone.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
