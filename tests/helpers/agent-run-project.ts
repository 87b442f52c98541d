import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentRunContext, type AgentRunEvent, runIterations } from '../../src/agent-run/iterate.ts';
import { type AgentRunPlan, type AgentRunRequest, planAgentRun } from '../../src/agent-run/plan.ts';
import { beginAgentRun } from '../../src/agent-run/start.ts';
import { NO_OUTPUT } from '../../src/gates/known-results.ts';
import type { CommandEnd, CommandSpec, RunCommand } from '../../src/process/run-command.ts';
import { type AgentRun, readAgentRun } from '../../src/state/agent-run.ts';
import { readIterations } from '../../src/state/execution-log.ts';
import type { Files } from './project.ts';
import { temporaryTree } from './temporary-tree.ts';

/** The output and the end of an agent or a gate. */
export interface ScriptedEnd {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly end?: number | CommandEnd;
  readonly durationMs?: number;
}

/** One start of a scripted agent. A string is its output. */
// biome-ignore lint/suspicious/noConfusingVoidType: an agent that prints nothing
export type AgentScript = (project: AgentRunProject) => ScriptedEnd | string | void | Promise<string>;

export const PROMISE = '<promise>IMPLEMENTATION_COMPLETE</promise>';

/** Above every pid of a system, so that it is never alive. */
const NO_PID = 2 ** 30;

/** An agent that changes the working tree and promises. */
export const work: AgentScript = (project) => {
  project.write({ 'work.txt': `${project.prompts.length}` });
  return `Done.\n${PROMISE}`;
};

/** A project for agent runs in which the agent and the gates are functions instead of processes. */
export interface AgentRunProject {
  readonly root: string;
  readonly context: AgentRunContext;
  /** Aborts the signal of the context. */
  readonly interrupt: () => void;
  readonly events: readonly AgentRunEvent[];
  /** The prompts of all starts of the agent. */
  readonly prompts: readonly string[];
  /** The commands of all gates that ran. */
  readonly gates: readonly CommandSpec[];
  has(file: string): boolean;
  /** The names in a directory, sorted. */
  files(directory: string): string[];
  read(file: string): string;
  write(files: Files): void;
  plan(request?: Partial<AgentRunRequest>): Promise<AgentRunPlan>;
  /** Plans a run, and executes it to its end. */
  run(request?: Partial<AgentRunRequest>): Promise<AgentRun>;
  /** The run of TASK-001 as it is saved. */
  saved(): AgentRun | undefined;
  /** The outcomes in the log, `coder 1 accepted`. */
  outcomes(): string[];
}

/**
 * Creates a project whose agent follows the scripts, the last one at all later starts. The gates `true`, `false` and
 * `test -e FILE` work as in a shell.
 *
 * @param options `git`: false for a project without git
 */
export function agentRunProject(
  files: Files,
  scripts: readonly AgentScript[] = [],
  { git = true }: { readonly git?: boolean } = {},
): AgentRunProject {
  const root = temporaryTree({
    ...(git && { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/': '', '.git/refs/': '' }),
    'spec.md': 'Write the program.\n',
    ...files,
  });
  const controller = new AbortController();
  const events: AgentRunEvent[] = [];
  const prompts: string[] = [];
  const gates: CommandSpec[] = [];
  let seconds = 0;
  const runCommand: RunCommand = async (spec, hooks) => {
    if (spec.args?.[0] !== 'agent' && spec.command !== 'agent') {
      gates.push(spec);
      const stdout = `${spec.command} prints this`;
      hooks.onOutput?.('stdout', Buffer.from(stdout));
      return ended({ stdout, end: gateExitCode(spec) });
    }
    try {
      await hooks.onSpawned?.(NO_PID);
    } catch (error) {
      return ended({ end: { how: 'not-started', message: (error as Error).message } });
    }
    prompts.push(
      spec.inputPath === undefined ? (spec.args?.at(-1) ?? '') : readFileSync(spec.inputPath, 'utf8'),
    );
    const script = scripts[prompts.length - 1] ?? scripts.at(-1);
    const printed = (await script?.(project)) ?? '';
    const result = typeof printed === 'string' ? { stdout: printed } : printed;
    hooks.onOutput?.('stdout', Buffer.from(result.stdout ?? ''));
    return ended(hooks.signal?.aborted ? { ...result, end: { how: 'aborted' } } : result);
  };
  const project: AgentRunProject = {
    root,
    context: {
      runCommand,
      now: () => new Date(Date.UTC(2026, 0, 31, 10, 30, seconds++)),
      env: { PATH: process.env.PATH },
      signal: controller.signal,
      onEvent: (event) => events.push(event),
    },
    interrupt: () => controller.abort(),
    events,
    prompts,
    gates,
    has: (file) => existsSync(join(root, file)),
    files: (directory) => readdirSync(join(root, directory)).toSorted(),
    read: (file) => readFileSync(join(root, file), 'utf8'),
    write: (more) => {
      for (const [file, content] of Object.entries(more)) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), content);
      }
    },
    plan: async (request) => {
      const plan = await planAgentRun(root, requestOf(root, request));
      if (!plan.ok) throw new Error(plan.failure.join('\n'));
      return plan.value;
    },
    run: async (request) => {
      const plan = await project.plan(request);
      const started = await beginAgentRun(plan, { checkpoint: false }, project.context);
      if (!started.ok) throw new Error(started.failure.message);
      return runIterations(plan, started.value.run, project.context);
    },
    saved: () => readAgentRun(root, 'TASK-001'),
    outcomes: () =>
      readIterations(join(root, '.trellis/.ralph')).map(
        ({ stage, ralph_iteration, outcome }) => `${stage} ${ralph_iteration} ${outcome}`,
      ),
  };
  return project;
}

/** A request for a run of TASK-001 by a coder, with the specification in `spec.md`. */
export function requestOf(root: string, request: Partial<AgentRunRequest> = {}): AgentRunRequest {
  const order = { command: ['agent'], prompt_file: join(root, 'spec.md'), rollback: false };
  return { task: 'TASK-001', stages: ['coder'], order, ...request };
}

function ended({ stdout = '', stderr = '', end = 0, durationMs = 20_000 }: ScriptedEnd) {
  const pieces = [
    { stream: 'stdout', text: stdout },
    { stream: 'stderr', text: stderr },
  ] as const;
  return {
    end: typeof end === 'number' ? ({ how: 'exited', exitCode: end } as const) : end,
    durationMs,
    output: { ...NO_OUTPUT, head: pieces },
  };
}

function gateExitCode({ command, cwd }: CommandSpec): number {
  const [, file] = /^test -e (\S+)$/.exec(command) ?? [];
  if (file !== undefined) return existsSync(join(cwd, file)) ? 0 : 1;
  return command === 'true' ? 0 : 1;
}
