import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import type { AgentRunRequest } from '../../agent-run/plan.ts';
import { MASK } from '../../process/secret-search.ts';
import type { AgentRun } from '../../state/agent-run.ts';

/** The options of `ralph-loop run`. */
export interface RunOptions {
  readonly agent?: string;
  readonly stages?: string;
  readonly task?: string;
  readonly promptFile?: string;
  readonly resume?: string;
  readonly checkpoint: boolean;
  readonly rollback: boolean;
  readonly printPrompt: boolean;
}

const DEFAULT_AGENT = 'coder';

/**
 * What a command line of `run` asks for.
 *
 * @param kept the loop that is to be resumed, as it was saved
 * @param currentTask of Trellis, where there is one
 * @returns what is wrong with it, and what to do
 */
export function wantedLoop(
  command: readonly string[],
  options: RunOptions,
  kept: AgentRun | undefined,
  currentTask: string | undefined,
  cwd: string,
): AgentRunRequest | { readonly why: string } {
  const missing = command[0] === undefined ? undefined : whyNotThere(command[0], cwd);
  if (missing !== undefined) return { why: missing };
  return options.resume === undefined
    ? newLoop(command, options, currentTask, cwd)
    : resumed(command, { ...options, resume: options.resume }, kept, cwd);
}

function newLoop(
  command: readonly string[],
  { agent, stages, task, promptFile, rollback }: RunOptions,
  currentTask: string | undefined,
  cwd: string,
): AgentRunRequest | { readonly why: string } {
  if (agent !== undefined && stages !== undefined)
    return { why: 'Name one --agent, or several --stages, not both.' };
  const names = (stages ?? agent ?? DEFAULT_AGENT).split(',').map((name) => name.trim());
  if (names.includes('')) return { why: 'A stage has no name: write them as in --stages coder,reviewer.' };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { why: `The stage ${twice} is named twice.` };
  const named = (task ?? (currentTask === undefined ? '' : basename(currentTask))).trim();
  if (named === '') return { why: 'It is not said for which task: name one with --task.' };
  return {
    task: named,
    stages: names,
    order: {
      command: command.length > 0 ? fromAnywhere(command, cwd) : null,
      prompt_file: promptFile === undefined ? null : resolve(cwd, promptFile),
      rollback,
    },
  };
}

/** Goes on as it was begun; only the command may be another one, where the old one was the trouble. */
function resumed(
  command: readonly string[],
  options: RunOptions & { readonly resume: string },
  kept: AgentRun | undefined,
  cwd: string,
): AgentRunRequest | { readonly why: string } {
  const { resume, agent, stages, task, promptFile, checkpoint, rollback } = options;
  if ([agent, stages, task, promptFile].some((value) => value !== undefined) || checkpoint || rollback)
    return { why: `--resume ${resume} goes on as the loop was begun: leave the other options out.` };
  if (!kept)
    return { why: `There is no loop of ${resume} to be resumed; ralph-loop status shows which there are.` };
  if (command.length === 0 && kept.order.command?.some((word) => word.includes(MASK)))
    return {
      why: `The command of ${resume} holds a secret, which is not kept: name it again, as in: ralph-loop run --resume ${resume} -- ${kept.order.command[0]} …`,
    };
  return {
    task: kept.task_id,
    stages: kept.stages,
    order: { ...kept.order, command: command.length > 0 ? fromAnywhere(command, cwd) : kept.order.command },
  };
}

/** The agent works in the root of the project, wherever the person stands who names its program by a path. */
function fromAnywhere([program = '', ...rest]: readonly string[], cwd: string): string[] {
  return [program.includes('/') ? resolve(cwd, program) : program, ...rest];
}

/** @returns undefined where a program can be started by that name */
function whyNotThere(program: string, cwd: string): string | undefined {
  if (program === '') return 'The command behind -- begins with an empty word: name the program there.';
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory || '.', program));
  const isThere = places.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
  if (isThere) return undefined;
  return program.includes('/')
    ? `There is no program ${program} that could be started.`
    : `There is no program ${program} on PATH.`;
}
