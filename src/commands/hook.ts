import { writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JudgedStop } from '../answer-stop.ts';
import { findProject } from '../config/find-project.ts';
import { internalErrorMessage } from '../feedback/person-message.ts';
import { DEFAULT_DEADLINE_SECONDS, readStopEvent, writeAnswer } from '../hosts/claude-code.ts';
import { writeTrellisAnswer } from '../hosts/trellis.ts';
import type { HostName, StopEvent } from '../loop/stop-event.ts';
import { triageStop } from '../triage-stop.ts';
import { recordOf, writeLog } from './hook-log.ts';
import { type HookOptions, parseHookOptions } from './hook-options.ts';
import { readStdin } from './hook-stdin.ts';

/**
 * `ralph-loop hook`: one event on stdin, one answer on stdout, one line in the execution log, exit 0. Ends the
 * process. A host that ends the hook gets no answer; the gates' processes are gone before the hook is.
 */
export async function hook(args: readonly string[]): Promise<never> {
  const options = parseHookOptions(args);
  const input = readInput();
  const event = 'event' in input ? input.event : undefined;
  const cwd = event?.cwd ?? process.cwd();
  const told = listenForEnd();
  const judged = event ? await judge(event, cwd, options, told.signal) : ignoreInput(input, cwd);
  if (!told.signal.aborted) write(1, format(judged, event?.host ?? 'unknown', options));
  const notes = [...options.notes, ...(judged.notes ?? [])];
  const record = recordOf(event, { ...judged, notes }, told.signal.aborted, new Date());
  if (options.verbose) write(2, `${JSON.stringify(record, null, 2)}\n`);
  // A log that cannot be written anywhere must not change the answer, which is out already.
  await writeLog(judged.root, record).catch(() => {});
  process.exit(told.exitCode());
}

type Input = { readonly event: StopEvent } | { readonly why: string };

function readInput(): Input {
  try {
    return readStopEvent(JSON.parse(readStdin()), process.env);
  } catch (error) {
    return { why: `stdin is not JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}

async function judge(
  event: StopEvent,
  cwd: string,
  options: HookOptions,
  signal: AbortSignal,
): Promise<JudgedStop> {
  let root: string | undefined;
  try {
    const triage = triageStop(event, cwd);
    if (!triage.guarded) return { answer: { decision: 'ignore', why: triage.why }, root: triage.root };
    root = triage.project.root;
    const [{ answerStop }, { runCommand }] = await Promise.all([
      import('../answer-stop.ts'),
      import('../process/run-command.ts'),
    ]);
    const seconds = options.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS;
    return await answerStop(event, triage, {
      runCommand,
      now: () => new Date(),
      env: process.env,
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
      root,
      notes,
    };
  }
}

/** Not a stop at all; the log of the project around the hook says so. */
function ignoreInput(input: Input, cwd: string): JudgedStop {
  const found = findProject(cwd);
  const root = found.found ? found.project.root : found.repository;
  return { answer: { decision: 'ignore', why: 'why' in input ? input.why : '' }, root };
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
