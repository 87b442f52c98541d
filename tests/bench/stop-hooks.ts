import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BIN } from './bench-project.ts';

/** A stop hook that is compared, and what a project needs for it. */
export interface StopHook {
  readonly name: string;
  readonly command: readonly string[];
  /** The files that make a command a gate; the limit of its time is set where the hook has such a setting. */
  readonly files: (gate: string, limitSeconds?: number) => Readonly<Record<string, string>>;
  /** Fields of a stop that it guards; of one that it ignores. */
  readonly guarded: object;
  readonly ignored: object;
  /** Whether what it ignores is a project without its files. */
  readonly ignoresByFiles?: true;
  /** The event before the agent works, if it has a hook for that. */
  readonly prompt?: object;
  /** Blocks until the agent says a promise, whatever a gate says. */
  readonly runsNoGate?: true;
  /** What an agent does to the state of the hook to be rid of it. */
  readonly loseState: (root: string) => void;
}

const STOP = { hook_event_name: 'Stop', session_id: 'bench', stop_hook_active: false };
const CHECK_STOP = { hook_event_name: 'SubagentStop', session_id: 'bench', stop_hook_active: false };
const TRANSCRIPT = 'transcript.jsonl';
const PLUGIN_STATE = '.claude/ralph-loop.local.md';
const TASK = 'tasks/bench';
const SCRIPT = readFileSync(
  fileURLToPath(new URL('../../tests/bench/stop-script.sh', import.meta.url)),
  'utf8',
);

const RALPH_LOOP: StopHook = {
  name: 'ralph-loop',
  command: [process.execPath, BIN, 'hook', '--host', 'claude-code'],
  files: (gate, limitSeconds = 120) => ({
    'worktree.yaml': `verify:\n  - ${JSON.stringify(gate)}\nralph:\n  command_timeout: ${limitSeconds}\n`,
  }),
  guarded: STOP,
  ignored: STOP,
  ignoresByFiles: true,
  prompt: { hook_event_name: 'UserPromptSubmit', session_id: 'bench', prompt: 'add the tax' },
  loseState: (root) => rmSync(join(root, '.trellis'), { recursive: true, force: true }),
};

const OWN_SCRIPT: StopHook = {
  name: 'a script',
  command: ['sh', '.claude/stop.sh'],
  files: (gate) => ({ '.claude/stop.sh': SCRIPT.replace('npm test', () => gate) }),
  guarded: STOP,
  ignored: { ...STOP, stop_hook_active: true },
  loseState: () => {},
};

/** The hooks of others are not installed from a registry: each variable names the file that their project installs. */
const OTHERS: Readonly<Record<string, (file: string) => StopHook>> = {
  COMPARE_PLUGIN: (file) => ({
    name: 'the plugin ralph-loop',
    command: ['bash', file],
    files: () => ({
      // As its command /ralph-loop writes it.
      [PLUGIN_STATE]:
        '---\nactive: true\niteration: 1\nsession_id:\nmax_iterations: 0\ncompletion_promise: "DONE"\n---\n\nAdd the tax.\n',
      [TRANSCRIPT]: '{"message":{"role":"assistant","content":[{"type":"text","text":"Added."}]}}\n',
    }),
    guarded: { ...STOP, transcript_path: TRANSCRIPT },
    ignored: STOP,
    ignoresByFiles: true,
    runsNoGate: true,
    loseState: (root) => rmSync(join(root, PLUGIN_STATE)),
  }),
  COMPARE_TRELLIS: (file) => ({
    name: "Trellis's hook",
    command: ['python3', file],
    files: (gate) => ({
      '.trellis/worktree.yaml': `verify:\n  - ${gate}\n`,
      '.trellis/.current-task': TASK,
    }),
    // Both generations of the field names.
    guarded: { ...CHECK_STOP, agent_type: 'check', subagent_type: 'check' },
    ignored: { ...CHECK_STOP, agent_type: 'research', subagent_type: 'research' },
    loseState: (root) =>
      writeFileSync(
        join(root, '.trellis/.ralph-state.json'),
        JSON.stringify({ task: TASK, iteration: 4, started_at: new Date().toISOString().slice(0, 19) }),
      ),
  }),
  COMPARE_RALPH_GATE: (file) => ({
    name: 'Ralph Gate',
    command: [process.execPath, file, '--hook'],
    files: (gate) => ({
      'gate.config.json': JSON.stringify({ gates: [{ name: 'test', command: gate }] }),
    }),
    guarded: STOP,
    ignored: STOP,
    ignoresByFiles: true,
    loseState: () => {},
  }),
};

/** ralph-loop, a plain script, and the hooks that variables of the environment name. */
export function stopHooks(): StopHook[] {
  const others = Object.entries(OTHERS).flatMap(([variable, hook]) => {
    const file = process.env[variable];
    return file === undefined ? [] : [hook(file)];
  });
  return [RALPH_LOOP, OWN_SCRIPT, ...others];
}
