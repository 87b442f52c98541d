import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
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
 * Sends a stop through the command line of a hook, as the host would, from a temporary project whose only gate fails.
 * The answer must be a block that contains the output of that gate. The project's state is not changed.
 */
export function fireHook(host: KnownHost, hook: FoundHook, root: string): Finding {
  const about = host.title;
  const place = `${hook.file}, ${hook.event}`;
  if (parseHookCommand(hook.command)?.flags.includes('--config')) {
    const what = `${place}: not tested, because it would run the gates of its --config.`;
    return { about, level: 'warning', what, fix: `Test it by hand: ${hook.command}` };
  }
  const problem = problemWith(host, hook, root);
  if (problem === undefined) return { about, level: 'ok', what: `${place}: blocked the test stop.` };
  const fix = `Rewrite the command with "ralph-loop init --host ${host.name}"; it is: ${hook.command}`;
  return { about, level: 'error', what: `${place}: did not block the test stop: ${problem}`, fix };
}

/** @returns undefined if the hook blocks the test stop */
function problemWith(host: KnownHost, hook: FoundHook, root: string): string | undefined {
  const agent = isAt(hook, host.hookFile.events.main) ? MAIN_AGENT : 'check';
  const scratch = makeScratchProject(agent);
  const PATH = permanentDirectories(process.env.PATH).join(delimiter);
  const { event, env } = sampleStopOf(host, agent, scratch, root, basename(scratch));
  try {
    const { stdout, stderr, status, signal, error } = spawnSync(DEFAULT_SHELL, ['-c', hook.command], {
      cwd: root,
      input: JSON.stringify(event),
      // A host does not have npx's additions to PATH; and a hook that runs inside a gate does nothing.
      env: { ...process.env, PATH, ...env, RALPH_LOOP: undefined },
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    });
    // EPIPE: it exited without reading the event, and may have answered.
    if (error && !error.message.endsWith('EPIPE')) return `no answer: ${error.message}`;
    if (status !== 0) return `exited with ${status ?? signal}: ${oneLine(stderr, 300)}`;
    if (isBlock(stdout, host.name, PROOF)) return undefined;
    return stdout.trim() === '' ? 'it printed nothing' : `it answered: ${oneLine(stdout, 300)}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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
