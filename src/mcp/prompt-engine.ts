import * as z from 'zod';
import { failure, type Result, success } from '../base/result.ts';
import { oneLine } from '../base/text.ts';
import { type ChainLogEntry, decidedWhy, logChain, startedWhy } from '../chain/chain-log.ts';
import { type ChainUpdate, decideChain, reviewedIn, verifyChain } from '../chain/engine.ts';
import { decidableChains } from '../chain/find-chain.ts';
import { linesOfUntyped } from '../chain/parse/marks.ts';
import { renderSteps } from '../chain/parse/parse-prompt.ts';
import { problemsText } from '../chain/parse/problems.ts';
import { readPromptLibrary } from '../chain/parse/templates.ts';
import { startChain } from '../chain/start-chain.ts';
import { settingsAround } from '../config/load.ts';
import { sessionIdIn } from '../hosts/registry.ts';
import { chainLine, hasGates, notRunText, TYPED_GATES_OFF } from '../messages/chain.ts';
import {
  endedMarkdown,
  escalatedMarkdown,
  failedMarkdown,
  nextStepMarkdown,
  retriedMarkdown,
  reviewFailedMarkdown,
  reviewMarkdown,
  stepMarkdown,
} from '../messages/mcp.ts';
import { unattendedMessage } from '../messages/person.ts';
import {
  type Chain,
  type CriterionVerdict,
  chainTask,
  currentStep,
  type GateAction,
  reportChain,
  selfReviewed,
} from '../state/chain.ts';
import { readStoredChains, removeExpired } from '../state/chain-store.ts';
import { escalationOf } from '../state/escalations.ts';
import { loggedGates } from '../state/execution-log.ts';
import { leaveNotice } from '../state/notices.ts';
import { answerAbout, type ChainAnswer } from './chain-answer.ts';
import { type GateVerdicts, gateVerdicts, readVerdicts } from './gate-verdicts.ts';
import { BY_TOOL, type CallContext } from './tool-call.ts';

/** The arguments of `prompt_engine`; which of them go together depends on the chain's status. */
export const promptEngineCall = z.object({
  command: z
    .string()
    .optional()
    .describe(
      'starts a chain: the task with its gates, as \'Fix the cart :: verify:"npm test" max:3\'; >>name calls a template',
    ),
  chain_id: z.string().optional().describe('continues a chain: the id from its first answer'),
  user_response: z.string().optional().describe('what was done; then the commands run'),
  gate_verdicts: gateVerdicts
    .optional()
    .describe('in status review: PASS or FAIL for each criterion, with a reason'),
  gate_action: z
    .enum(['retry', 'skip', 'abort'])
    .optional()
    .describe('in status escalated: what a person has chosen; abort at any time'),
});

type PromptEngineCall = z.infer<typeof promptEngineCall>;

/** A call of the prompt engine starts a chain, verifies it, takes a review, or passes on a person's decision. */
export async function promptEngine(args: PromptEngineCall, call: CallContext): Promise<Result<ChainAnswer>> {
  const { root, context } = call;
  const { command, chain_id: id, ...more } = withoutBlanks(args);
  const { user_response: response, gate_verdicts: verdicts, gate_action: action } = more;
  const { live } = removeExpired(readStoredChains([root]), context.now());
  const chains = live.map(({ chain }) => chain);
  if (id === undefined && command === undefined && action !== undefined) {
    const [chain, another] = decidableChains(chains);
    if (chain && !another) return decide(chain, action, call);
    const several = another ? 'Several chains could be meant: give the chain_id of one of them. ' : '';
    return failure(`${several}${listOf(chains)}`);
  }
  if (id === undefined) {
    const [early] = Object.keys(more);
    if (early !== undefined)
      return failure(
        `${early} needs the chain_id from the chain's first answer. To start a chain, give command alone.`,
      );
    return command === undefined ? failure(missingArguments(args)) : startFromCommand(command, call);
  }
  if (command !== undefined)
    return failure('Give command to start a chain, or chain_id to continue one; not both.');
  const chain = chains.find((each) => each.id === id);
  if (!chain) return failure(unknownChain(id, chains));
  if (action !== undefined) return decide(chain, action, call);
  if (chain.status === 'review') return review(chain, verdicts ?? response, call);
  if (chain.status !== 'escalated') {
    if (verdicts !== undefined)
      return failure(
        `Chain ${id} is ${chain.status}: give gate_verdicts once its commands pass. Give user_response: what you did.`,
      );
    if (response === undefined)
      return failure(`Chain ${id} is ${chain.status}. Give user_response: what you did.`);
  }
  return verify(chain, [], call);
}

/** Models give empty strings for the arguments that they leave out. */
function withoutBlanks(call: PromptEngineCall): PromptEngineCall {
  const isGiven = (value: unknown) => (typeof value === 'string' ? value.trim() !== '' : value !== undefined);
  return Object.fromEntries(Object.entries(call).filter(([, value]) => isGiven(value)));
}

function missingArguments({ command }: PromptEngineCall): string {
  const found = command === undefined ? 'Nothing was given' : 'command is empty';
  return `${found}. Give command to start a chain, or chain_id with user_response, gate_verdicts or gate_action.`;
}

function unknownChain(id: string, chains: readonly Chain[]): string {
  return `There is no chain ${oneLine(id, 60)}: it has ended, has expired, or never existed. ${listOf(chains)}`;
}

function listOf(chains: readonly Chain[]): string {
  const list = chains.map((chain) => `\n  ${chainLine(reportChain(chain))}`).join('');
  return list === '' ? 'This project has no chains; give command to start one.' : `This project has:${list}`;
}

/** The same limit as for a template. */
const MAX_COMMAND_CHARACTERS = 256 * 1024;

/** Starts a chain beside those of the project. A command without gates is only rendered. */
async function startFromCommand(command: string, call: CallContext): Promise<Result<ChainAnswer>> {
  const { root, context } = call;
  if (command.length > MAX_COMMAND_CHARACTERS)
    return failure(`command has ${command.length} characters; the limit is ${MAX_COMMAND_CHARACTERS}.`);
  if (command.includes('\0')) return failure('command contains a NUL character.');
  const library = readPromptLibrary(root);
  const parsed = renderSteps(command, library);
  if (!parsed.ok) return failure(`Nothing was started.\n${problemsText(command, parsed.failure)}`);
  const { steps, gateAction } = parsed.value;
  if (gateAction !== undefined)
    return failure(`gate_action is an argument of its own: give chain_id and gate_action "${gateAction}".`);
  if (steps.some(hasGates) && (await settingsAround(root)).typedGates === false)
    return failure(`Nothing was started: ${TYPED_GATES_OFF}.`);
  const untyped = linesOfUntyped(command, library.criterion);
  if (untyped.length > 0) return failure(['Nothing was started.', ...notRunText(untyped)].join(' '));
  const [first] = steps;
  if (first && steps.length === 1 && !hasGates(first))
    return success({
      chain_id: null,
      status: 'passed',
      success: true,
      verification: null,
      content: first.text,
    });
  const { env } = context;
  const now = context.now();
  const blocksStops = steps.some(({ verify }) => verify.some(({ loop }) => loop === true));
  const about = { steps, session: sessionIdIn(env), atStop: blocksStops ? 'block' : 'nothing' } as const;
  const started = await startChain(root, about, { now, env });
  if (!started.ok) return failure(`Nothing was started. ${started.failure.message}`);
  const chain = started.value;
  await log(chain, { why: startedWhy(chain, env) }, call);
  return success(answerAbout(chain, 'awaiting', stepMarkdown(chain)));
}

async function review(
  chain: Chain,
  given: GateVerdicts | undefined,
  call: CallContext,
): Promise<Result<ChainAnswer>> {
  const names = currentStep(chain).criteria.map(({ name }) => name);
  return given === undefined
    ? failure(`Chain ${chain.id} is in review. Give gate_verdicts for ${names.join(', ')}.`)
    : verify(chain, readVerdicts(given), call);
}

async function verify(
  chain: Chain,
  verdicts: readonly CriterionVerdict[],
  call: CallContext,
): Promise<Result<ChainAnswer>> {
  const { cwd, root, context, onEvent } = call;
  // Names of variables that look like secrets and that the project passes to commands all the same.
  const { passEnv: secretsPassed = [] } = await settingsAround(cwd);
  const verified = await verifyChain({ root, chain }, verdicts, {
    ...context,
    onEvent,
    secretsPassed,
    isStop: false,
  });
  if (!verified.ok) return failure(`Chain ${chain.id} was not verified: ${verified.failure.message}.`);
  const { before, event, outcome, run } = verified.value;
  // An escalated chain is reported at each call, and logged once.
  if (event !== 'waiting') {
    const isCancelled = run && context.signal.aborted;
    const ended = isCancelled
      ? ({ answer: 'none', why: 'the call was cancelled' } as const)
      : ({ answer: outcome.decision, why: outcome.why } as const);
    const { iteration = null, maxIterations: max = null } = run?.attempt ?? {};
    const reviewed = reviewedIn(verified.value);
    const { escalation } = verified.value.chain;
    await log(
      before,
      {
        ...ended,
        iteration,
        max,
        gates: run ? loggedGates(run.result) : [],
        ...(event === 'escalated' && escalation && { escalated: escalationOf(escalation) }),
        ...(reviewed.length > 0 && { self_reviewed: reviewed }),
      },
      call,
    );
  }
  const described = { ...before, results: run?.reports ?? before.results };
  return success(answerOn(verified.value, described, verdicts, root));
}

async function decide({ id }: Chain, action: GateAction, call: CallContext): Promise<Result<ChainAnswer>> {
  const { root, context } = call;
  const decided = await decideChain(root, id, action, 'tool', { now: context.now(), env: context.env });
  if (!decided.ok) return failure(`Nothing was done for chain ${id}: ${decided.failure.message}.`);
  const { chain } = decided.value;
  await log(chain, { why: decidedWhy(action, BY_TOOL) }, call);
  leaveNotice(root, unattendedMessage(`gate_action ${action}`, BY_TOOL));
  return success(answerOn(decided.value, chain, [], root));
}

/** @param described the chain whose step and results the answer describes */
function answerOn(
  update: ChainUpdate,
  described: Chain,
  verdicts: readonly CriterionVerdict[],
  root: string,
): ChainAnswer {
  const { chain, ended, checkpointNote } = update;
  const content = [contentOf(update, verdicts, root), checkpointNote]
    .flatMap((text) => text ?? [])
    .join('\n\n');
  const reviewed = selfReviewed(chain, ended !== undefined && ended !== 'aborted');
  return answerAbout(described, ended ?? chain.status, content, reviewed);
}

function contentOf(update: ChainUpdate, verdicts: readonly CriterionVerdict[], root: string): string {
  const { event, chain, run } = update;
  const step = currentStep(chain);
  switch (event) {
    case 'passed':
    case 'skipped':
    case 'aborted':
      return endedMarkdown(chain, event);
    case 'escalated':
    case 'waiting':
      return escalatedMarkdown(chain);
    case 'step-passed':
      return nextStepMarkdown(chain, 'passed');
    case 'step-skipped':
      return nextStepMarkdown(chain, 'skipped');
    case 'retried':
      return retriedMarkdown(chain, update.failedGate, root);
    case 'review':
      return reviewMarkdown(chain, step);
    case 'review-incomplete':
    case 'review-failed':
      return reviewFailedMarkdown(chain, step.criteria, verdicts);
    case 'failed':
      return run?.failed ? failedMarkdown(chain, run.result, run.failed) : stepMarkdown(chain);
    default:
      return stepMarkdown(chain);
  }
}

/** Writes the same words to the log as for a stop, so that reports count both alike. */
function log(
  chain: Chain,
  entry: Omit<ChainLogEntry, 'host' | 'session' | 'task' | 'agent'>,
  { root, context }: CallContext,
): Promise<void> {
  // The protocol does not name the agent that calls.
  const about = { host: 'mcp', session: chain.session, agent: null, task: chainTask(chain) } as const;
  return logChain(root, { ...about, ...entry }, { now: context.now(), env: context.env });
}
