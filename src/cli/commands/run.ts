import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join, relative, resolve } from 'node:path';
import { type AgentRunContext, type AgentRunEvent, runIterations } from '../../agent-run/iterate.ts';
import {
  type AgentRunPlan,
  type AgentRunRequest,
  currentPrompt,
  planAgentRun,
} from '../../agent-run/plan.ts';
import { beginAgentRun, checkResumable, resumeAgentRun } from '../../agent-run/start.ts';
import { createAgentRun } from '../../agent-run/transitions.ts';
import { failure, type Result, success } from '../../base/result.ts';
import { listed } from '../../base/text.ts';
import { readCurrentTask, rootAround } from '../../config/discover.ts';
import { isStartedByGateOf } from '../../gates/nesting.ts';
import { agentRunEndText, iterationLine } from '../../messages/agent-run.ts';
import type { Paint } from '../../messages/paint.ts';
import { nestedText } from '../../messages/results.ts';
import { runCommand } from '../../process/run-command.ts';
import { MASK } from '../../process/secrets/masker.ts';
import { type AgentRun, readAgentRun, unusableAgentRun } from '../../state/agent-run.ts';
import { EXIT, fail, liveLine, onInterrupt, print, stdoutPaint } from '../terminal.ts';

interface RunOptions {
  readonly agent?: string;
  readonly stages?: string;
  readonly task?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly resume?: string;
  readonly checkpoint?: boolean;
  readonly rollback?: boolean;
  readonly printPrompt?: boolean;
}

/**
 * `ralph-loop run -- <agent>`: runs an agent again and again until its promise is verified.
 *
 * @param command the agent, argument by argument; empty: the command in the config
 * @returns the exit code: 0 verified, 1 not verified, 2 usage or configuration error, 3 budget exceeded, 130 interrupted
 * or cancelled
 */
export async function run(command: readonly string[], options: RunOptions): Promise<number> {
  const cwd = process.cwd();
  const root = rootAround(cwd) ?? cwd;
  const kept = options.resume === undefined ? undefined : readAgentRun(root, options.resume);
  const unusable = options.resume === undefined || kept ? undefined : unusableAgentRun(root, options.resume);
  if (unusable !== undefined) return fail(unusable, EXIT.usage);
  const request = requestedRun(command, options, kept, readCurrentTask(root), cwd);
  if (!request.ok) return fail(request.failure.message, EXIT.usage);
  const resumable = kept && checkResumable(kept);
  if (resumable?.ok === false) return fail(resumable.failure.message, EXIT.usage);
  const plan = await planAgentRun(cwd, request.value);
  if (!plan.ok) return fail(plan.failure, EXIT.usage);
  if (options.printPrompt) {
    print(nextPrompt(plan.value, kept));
    return EXIT.ok;
  }
  if (isStartedByGateOf(plan.value.root, process.env))
    return fail(nestedText('ralph-loop run', 'the gates'), EXIT.usage);
  return start(plan.value, kept, options);
}

async function start(plan: AgentRunPlan, kept: AgentRun | undefined, options: RunOptions): Promise<number> {
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  const context: AgentRunContext = {
    runCommand,
    now: () => new Date(),
    env: process.env,
    signal: interrupted.signal,
    onEvent: showProgress(process.stdout, process.cwd(), stdoutPaint()),
  };
  const checkpoint = (options.checkpoint || options.rollback) ?? false;
  const begun = kept
    ? await resumeAgentRun(plan, kept, context)
    : await beginAgentRun(plan, { checkpoint }, context);
  if (!begun.ok) return fail(begun.failure.message, EXIT.usage);
  for (const text of begun.value.notes) context.onEvent({ type: 'note', text });
  const ended = await runIterations(plan, begun.value.run, context);
  print(agentRunEndText(ended));
  if (ended.status === 'passed') return EXIT.ok;
  if (ended.status !== 'failed') return EXIT.interrupted;
  return ended.failure === 'budget' ? EXIT.budgetExceeded : EXIT.failed;
}

/** The prompt that the agent would read next. */
function nextPrompt(plan: AgentRunPlan, kept: AgentRun | undefined): string {
  const about = {
    id: '',
    task_id: plan.task,
    title: plan.taskFile?.title ?? null,
    order: plan.order,
    base_tree: null,
    checkpoint: null,
    driver: null,
  };
  const loop = kept ?? createAgentRun(about, plan.rules, new Date());
  return currentPrompt(plan, { ...loop, iteration: loop.iteration + 1 });
}

/**
 * Shows the iterations: a line when an agent starts and one when its iteration has ended, and in a terminal a live line
 * between them.
 *
 * @param from absolute directory from which log paths are given
 */
function showProgress(out: NodeJS.WriteStream, from: string, paint: Paint): (event: AgentRunEvent) => void {
  const live = liveLine(out, paint);
  let stage = '';
  let shown: readonly string[] = [];
  return (event) => {
    live?.stop();
    switch (event.type) {
      case 'begun':
        stage = `${event.run.stage} ${event.run.iteration}/${event.run.max_iterations}`;
        print(paint('dim', `▸ ${stage}, ${relative(from, event.logPath)}`));
        live?.start([stage]);
        shown = [];
        return;
      case 'gates': {
        const started = event.names.filter((name) => !shown.includes(name));
        shown = event.names;
        if (live) live.start([`${stage}: ${listed(event.names, 200)}`]);
        else if (started.length > 0) print(started.map((name) => paint('dim', `  ${name}`)));
        return;
      }
      case 'ended':
        print(iterationLine(event.run, paint));
        return;
      case 'note':
        print(event.text);
    }
  };
}

const DEFAULT_AGENT = 'coder';

/**
 * What a command line asks for.
 *
 * @param kept the saved run that `--resume` names
 * @param currentTask of Trellis
 */
function requestedRun(
  command: readonly string[],
  options: RunOptions,
  kept: AgentRun | undefined,
  currentTask: string | undefined,
  cwd: string,
): Result<AgentRunRequest> {
  const problem =
    promptProblem(options) ?? (command[0] === undefined ? undefined : programProblem(command[0], cwd));
  if (problem !== undefined) return failure(problem);
  return options.resume === undefined
    ? newRun(command, options, currentTask, cwd)
    : resumedRun(command, { ...options, resume: options.resume }, kept, cwd);
}

function promptProblem({ prompt, promptFile }: RunOptions): string | undefined {
  if (prompt === undefined) return undefined;
  if (promptFile !== undefined) return '--prompt and --prompt-file cannot be used together.';
  return prompt.trim() === '' ? '--prompt is empty.' : undefined;
}

function newRun(
  command: readonly string[],
  { agent, stages, task, prompt, promptFile, rollback = false }: RunOptions,
  currentTask: string | undefined,
  cwd: string,
): Result<AgentRunRequest> {
  if (agent !== undefined && stages !== undefined)
    return failure('--agent and --stages cannot be used together.');
  const names = (stages ?? agent ?? DEFAULT_AGENT).split(',').map((name) => name.trim());
  if (names.includes(''))
    return failure('A stage has no name; expected for example: --stages coder,reviewer');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return failure(`The stage ${twice} is named twice.`);
  const id = (task ?? (currentTask === undefined ? '' : basename(currentTask))).trim();
  if (id === '') return failure('Missing --task: Trellis has no current task.');
  return success({
    task: id,
    stages: names,
    order: {
      command: command.length > 0 ? withAbsoluteProgram(command, cwd) : null,
      prompt_file: promptFile === undefined ? null : resolve(cwd, promptFile),
      rollback,
    },
    prompt,
  });
}

/** A resumed run keeps its options; the command and the prompt may change, since they may be why the run failed. */
function resumedRun(
  command: readonly string[],
  options: RunOptions & { readonly resume: string },
  kept: AgentRun | undefined,
  cwd: string,
): Result<AgentRunRequest> {
  const { resume, agent, stages, task, prompt, promptFile, checkpoint, rollback } = options;
  if ([agent, stages, task].some((value) => value !== undefined) || checkpoint || rollback)
    return failure(
      '--resume keeps the options of the run; only --prompt, --prompt-file and the command can be given again.',
    );
  if (!kept) return failure(`No run of ${resume} to resume; "ralph-loop status" lists the runs.`);
  if (command.length === 0 && kept.order.command?.some((word) => word.includes(MASK)))
    return failure(
      `The command of ${resume} contains a secret, which is not saved. Name the command again: ralph-loop run --resume ${resume} -- ${kept.order.command[0]} …`,
    );
  const hasPrompt = prompt !== undefined || promptFile !== undefined;
  if (!hasPrompt && kept.prompt === null && kept.order.prompt_file === null)
    return failure(
      `The prompt of ${resume} is too long to be saved, and was not in a file. Give it again: ralph-loop run --resume ${resume} --prompt-file <file>`,
    );
  return success({
    task: kept.task_id,
    stages: kept.stages,
    order: {
      ...kept.order,
      command: command.length > 0 ? withAbsoluteProgram(command, cwd) : kept.order.command,
      ...(hasPrompt && { prompt_file: promptFile === undefined ? null : resolve(cwd, promptFile) }),
    },
    prompt: hasPrompt ? prompt : (kept.prompt ?? undefined),
  });
}

/** The agent runs in the root of the project, which need not be the directory that a path was typed in. */
function withAbsoluteProgram([program = '', ...rest]: readonly string[], cwd: string): string[] {
  return [program.includes('/') ? resolve(cwd, program) : program, ...rest];
}

/** @returns undefined if the program can be started */
function programProblem(program: string, cwd: string): string | undefined {
  if (program === '') return 'The command after -- starts with an empty argument.';
  const paths = program.includes('/')
    ? [resolve(cwd, program)]
    : (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory || '.', program));
  const isFound = paths.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
  if (isFound) return undefined;
  return program.includes('/') ? `${program} is not an executable file.` : `${program} is not on PATH.`;
}
