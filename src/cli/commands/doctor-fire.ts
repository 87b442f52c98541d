import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { oneLine } from '../../base/text.ts';
import { MAIN_AGENT } from '../../config/defaults.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { DEFAULT_SHELL } from '../../process/run-command.ts';
import { type FoundHook, isAt } from '../../setup/find-hooks.ts';
import { lastingDirectories } from '../../setup/find-program.ts';
import type { Finding } from '../../setup/finding.ts';
import { parseHookCommand } from '../../setup/hook-command.ts';
import { sampleStop } from '../../setup/sample-stop.ts';

/** Only a gate that ran can have said it. */
const WORD = 'ralph-loop-doctor-was-here';
const GATE = `echo ${WORD}; exit 1`;
/** Starting Node and one `echo` takes a fraction of a second; a machine may be busy. */
const TIMEOUT_MS = 30_000;

/**
 * Sends a stop through a hook's command line, as the host would, from a project in the temporary directory whose one
 * gate fails: the answer must be the host's word for a block, with what the gate said. Nothing of the real project's
 * gates is run, and nothing of its state is touched.
 */
export function fireHook(host: KnownHost, hook: FoundHook, root: string): Finding {
  const about = host.title;
  const place = `${hook.file}, ${hook.event}`;
  if (parseHookCommand(hook.command)?.flags.includes('--config')) {
    const what = `${place}: not fired, since it names a config, whose gates would run.`;
    return { about, level: 'warning', what, mend: `Try it by hand: ${hook.command}` };
  }
  const why = whyNotBlocked(host, hook, root);
  if (why === undefined) return { about, level: 'ok', what: `${place}: fired, and it blocked as it should.` };
  const mend = `ralph-loop init --host ${host.name} writes the command anew; as it is: ${hook.command}`;
  return { about, level: 'error', what: `${place}: fired, and ${why}`, mend };
}

function whyNotBlocked(host: KnownHost, hook: FoundHook, root: string): string | undefined {
  const agent = isAt(hook, host.hookFile.events.main) ? MAIN_AGENT : 'check';
  const scratch = makeScratchProject(agent);
  const PATH = lastingDirectories(process.env.PATH).join(delimiter);
  const { event, env } = sampleStop(host, agent, scratch, root);
  try {
    const { stdout, stderr, status, signal, error } = spawnSync(DEFAULT_SHELL, ['-c', hook.command], {
      cwd: root,
      input: JSON.stringify(event),
      // A host has not what npx has on PATH; in a gate, hooks are silent.
      env: { ...process.env, PATH, ...env, RALPH_LOOP: undefined },
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    });
    // EPIPE: it ended without reading the event, and may have answered.
    if (error && !error.message.endsWith('EPIPE')) return `it did not answer: ${error.message}`;
    if (status !== 0) return `it exited with ${status ?? signal}: ${oneLine(stderr, 300)}`;
    if (wordsOf(stdout)?.includes(WORD)) return undefined;
    return `it did not block: ${oneLine(stdout || 'it said nothing', 300)}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the agent would be told by an answer; undefined where that is no block. */
function wordsOf(stdout: string): string | undefined {
  try {
    const { decision, reason, followup_message: followUp } = JSON.parse(stdout);
    return followUp ?? (decision === 'block' ? reason : undefined);
  } catch {
    return undefined;
  }
}

function makeScratchProject(agent: string): string {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'ralph-loop-doctor-'));
  mkdirSync(join(scratch, '.git'));
  const config = `verify:\n  - ${GATE}\nralph:\n  agents: [${agent}]\n`;
  writeFileSync(join(scratch, 'worktree.yaml'), config);
  // Ralph Gate's own hook reads nothing else.
  const gates = { gates: [{ name: 'doctor', command: GATE }] };
  writeFileSync(join(scratch, 'gate.config.json'), JSON.stringify(gates));
  return scratch;
}
