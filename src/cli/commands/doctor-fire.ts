import { type ExecFileException, type ExecFileOptions, execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { oneLine } from '../../base/text.ts';
import { MAIN_AGENT } from '../../config/discover.ts';
import { followOutput } from '../../diagnostics/follow-output.ts';
import { CHANGED_FILES, needsChanges } from '../../gates/plan.ts';
import { runGates } from '../../gates/run-gates.ts';
import type { CommandGate } from '../../gates/types.ts';
import { isBlock } from '../../hosts/format.ts';
import { type KnownHost, sampleStopOf } from '../../hosts/host.ts';
import { gateName } from '../../messages/results.ts';
import { permanentDirectories } from '../../process/own-command.ts';
import { DEFAULT_SHELL, runCommand } from '../../process/run-command.ts';
import { type Finding, gateFinding } from '../../setup/check-project.ts';
import { type FoundHook, isAt } from '../../setup/hook-files.ts';
import { parseHookCommand } from '../../setup/program.ts';
import { forgetProject } from '../../state/forget-project.ts';
import { liveLine, stdoutPaint } from '../terminal.ts';

/**
 * Runs the gates of the project, whatever has changed. Nothing is recorded: no loop counts it, and no output is kept.
 *
 * @param root absolute directory of the project
 * @param signal aborting it ends the gates
 */
export async function fireGates(
  commands: readonly CommandGate[],
  root: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  // A gate that calls doctor would run itself.
  if (process.env.RALPH_LOOP === '1')
    return commands.map(({ name }) => ({
      about: 'Gates',
      level: 'ok',
      what: `${name}: found; not run inside a gate`,
    }));
  const live = liveLine(process.stderr, stdoutPaint());
  const { gates, settled } = await gatesToFire(commands, root, signal);
  const output = followOutput();
  const { results } = await runGates(gates, {
    runCommand,
    failFast: false,
    env: process.env,
    signal,
    settled,
    review: output.review,
    onEvent: (event) => {
      output.onEvent(event);
      if (event.type === 'started') live?.start([gateName(event.gate)]);
      if (event.type === 'ended') live?.stop();
    },
  });
  return results.map(gateFinding);
}

/** A gate that takes the changed files runs with those that there are. */
async function gatesToFire(commands: readonly CommandGate[], root: string, signal: AbortSignal) {
  const gates = commands.map((gate) => {
    const { paths: _, ...always } = gate;
    return gate.command.includes(CHANGED_FILES) ? gate : always;
  });
  if (!gates.some(needsChanges)) return { gates, settled: undefined };
  const { lookAtChanges } = await import('../../verification/affected.ts');
  return lookAtChanges(root, gates, { env: process.env, signal });
}

/** Printed by the gate: an answer that contains it proves that the gate ran. */
const PROOF = 'ralph-loop-doctor-was-here';
const GATE = `echo ${PROOF}; exit 1`;
/** Starting Node and one `echo` takes a fraction of a second on an idle machine. */
const TIMEOUT_MS = 30_000;

/**
 * Sends a stop through the command line of each hook, as the host would, from a temporary project whose only gate fails.
 * The answer must be a block that contains the output of that gate. The project's state is not changed.
 *
 * @param root absolute directory of the settings
 * @param signal aborting it ends the test
 */
export async function fireHooks(
  host: KnownHost,
  hooks: readonly FoundHook[],
  root: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const hook of hooks) {
    const finding = await fireHook(host, hook, root, signal);
    if (signal.aborted) break;
    findings.push(finding);
  }
  return findings;
}

async function fireHook(
  host: KnownHost,
  hook: FoundHook,
  root: string,
  signal: AbortSignal,
): Promise<Finding> {
  const about = host.title;
  const place = `${hook.file}, ${hook.event}`;
  if (parseHookCommand(hook.command)?.flags.includes('--config')) {
    const what = `${place}: not tested, because it would run the gates of its --config.`;
    return { about, level: 'warning', what, fix: `Test it by hand: ${hook.command}` };
  }
  const problem = await problemWith(host, hook, root, signal);
  if (problem === undefined) return { about, level: 'ok', what: `${place}: blocked the test stop.` };
  const fix = `Rewrite the command with "ralph-loop init --host ${host.name}"; it is: ${hook.command}`;
  return { about, level: 'error', what: `${place}: did not block the test stop: ${problem}`, fix };
}

/** Ctrl-C ends the hook and this process, which may learn of the hook first. */
const OWN_SIGNAL_MS = 100;

/** @returns undefined if the hook blocks the test stop */
async function problemWith(
  host: KnownHost,
  hook: FoundHook,
  root: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const agent = isAt(hook, host.hookFile.events.main) ? MAIN_AGENT : 'check';
  const scratch = makeScratchProject(agent);
  const PATH = permanentDirectories(process.env.PATH).join(delimiter);
  const { event, env } = sampleStopOf(host, agent, scratch, root, basename(scratch));
  try {
    const { error, stdout, stderr } = await run(hook.command, JSON.stringify(event), {
      cwd: root,
      // A host does not have npx's additions to PATH; and a hook that runs inside a gate does nothing.
      env: { ...process.env, PATH, ...env, RALPH_LOOP: undefined },
      timeout: TIMEOUT_MS,
      signal,
    });
    if (error?.signal === 'SIGINT') await setTimeout(OWN_SIGNAL_MS);
    if (error?.killed) return `no answer within ${TIMEOUT_MS / 1000} s`;
    if (error) return `exited with ${error.signal ?? error.code}: ${oneLine(stderr, 300)}`;
    if (isBlock(stdout, host.name, PROOF)) return undefined;
    return stdout.trim() === '' ? 'it printed nothing' : `it answered: ${oneLine(stdout, 300)}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    await forgetProject(scratch, basename(scratch));
  }
}

interface Ended {
  /** Of one that did not exit with 0. */
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line of a host. It is waited for in the event loop, so that Ctrl-C, which ends it too, is read. */
function run(command: string, input: string, options: ExecFileOptions): Promise<Ended> {
  return new Promise((resolve) => {
    const { stdin } = execFile(DEFAULT_SHELL, ['-c', command], options, (error, stdout, stderr) =>
      resolve({ error, stdout: String(stdout), stderr: String(stderr) }),
    );
    // It may exit without reading the event, and have answered.
    stdin?.on('error', () => {});
    stdin?.end(input);
  });
}

function makeScratchProject(agent: string): string {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'ralph-loop-doctor-'));
  mkdirSync(join(scratch, '.git'));
  const config = `verify:\n  - ${GATE}\nralph:\n  agents: [${agent}]\n`;
  writeFileSync(join(scratch, 'worktree.yaml'), config);
  // Ralph Gate's own hook reads this file only.
  const gates = { gates: [{ name: 'doctor', command: GATE }] };
  writeFileSync(join(scratch, 'gate.config.json'), JSON.stringify(gates));
  return scratch;
}
