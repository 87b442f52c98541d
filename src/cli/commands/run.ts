import { type AgentRunContext, runIterations } from '../../agent-run/iterate.ts';
import { type AgentRunPlan, currentPrompt, planAgentRun } from '../../agent-run/plan.ts';
import { beginAgentRun, checkResumable, resumeAgentRun } from '../../agent-run/start.ts';
import { createAgentRun } from '../../agent-run/transitions.ts';
import { readCurrentTask } from '../../config/current-task.ts';
import { rootAround } from '../../config/root-around.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { loopEndText } from '../../messages/promise-loop-texts.ts';
import { runCommand } from '../../process/run-command.ts';
import { type AgentRun, readAgentRun } from '../../state/agent-run.ts';
import { showLoop } from './run-progress.ts';
import { type RunOptions, wantedLoop } from './run-wanted.ts';

const EXIT = { verified: 0, unverified: 1, usage: 2, budget: 3, interrupted: 130 } as const;

/**
 * `ralph-loop run -- <agent>`: drives an agent until what it promises holds.
 *
 * @param command the agent, argument by argument; none where the config says it
 * @returns the exit code: 0 verified, 1 not, 2 usage or config error, 3 too dear, 130 interrupted or cancelled
 */
export async function run(command: readonly string[], options: RunOptions): Promise<number> {
  const cwd = process.cwd();
  const root = rootAround(cwd) ?? cwd;
  const kept = options.resume === undefined ? undefined : readAgentRun(root, options.resume);
  const wanted = wantedLoop(command, options, kept, readCurrentTask(root), cwd);
  if ('why' in wanted) return refuse([wanted.why]);
  const resumable = kept && checkResumable(kept);
  if (resumable?.ok === false) return refuse([resumable.failure.message]);
  const plan = await planAgentRun(cwd, wanted);
  if (!plan.ok) return refuse(plan.failure);
  if (options.printPrompt) return printPrompt(plan.value, kept);
  return drive(plan.value, kept, options);
}

async function drive(plan: AgentRunPlan, kept: AgentRun | undefined, options: RunOptions): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupted.abort());
  const paint = process.stdout.hasColors?.() ? coloured : plain;
  const effects: AgentRunContext = {
    runCommand,
    now: () => new Date(),
    env: process.env,
    signal: interrupted.signal,
    onEvent: showLoop(process.stdout, process.cwd(), paint),
  };
  const checkpoint = options.checkpoint || options.rollback;
  const begun = kept
    ? await resumeAgentRun(plan, kept, effects)
    : await beginAgentRun(plan, { checkpoint }, effects);
  if (!begun.ok) return refuse([begun.failure.message]);
  for (const text of begun.value.notes) effects.onEvent({ type: 'note', text });
  const ended = await runIterations(plan, begun.value.run, effects);
  print(loopEndText(ended));
  if (ended.status === 'passed') return EXIT.verified;
  if (ended.status !== 'failed') return EXIT.interrupted;
  return ended.failure === 'budget' ? EXIT.budget : EXIT.unverified;
}

/** What the agent would read next. */
function printPrompt(plan: AgentRunPlan, kept: AgentRun | undefined): number {
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
  print(currentPrompt(plan, { ...loop, iteration: loop.iteration + 1 }));
  return EXIT.verified;
}

function refuse(problems: readonly string[]): number {
  process.stderr.write(`${problems.join('\n')}\n`);
  return EXIT.usage;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
