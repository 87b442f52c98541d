import { beginKeptChain } from '../chain/begin-chain.ts';
import { begunWhy } from '../chain/chain-record.ts';
import { renderSteps } from '../chain/parse/parse-prompt.ts';
import { problemsText } from '../chain/parse/problems-text.ts';
import { readPromptLibrary, templateNames } from '../chain/parse/read-prompt-library.ts';
import { TEMPLATE_CALL } from '../chain/parse/render-template.ts';
import { didYouMean } from '../config/validate.ts';
import { sessionIdIn } from '../hosts/registry.ts';
import { stepMarkdown } from '../messages/mcp.ts';
import type { PromptStep } from '../state/prompt-step.ts';
import type { CallContext } from './call-context.ts';
import { answerOn, type ChainAnswer } from './chain-answer.ts';
import { logCall } from './log-call.ts';
import type { Problem } from './tool-answer.ts';

/** A prompt is pages, not books: as much as a template may have. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Begins a chain of a command, beside those that there are. One without gates has nothing to be verified: it is only
 * rendered. Stops are blocked for it where it asks for that.
 */
export async function beginCalledChain(
  command: string,
  context: CallContext,
): Promise<ChainAnswer | Problem> {
  const { root, effects } = context;
  if (command.length > MAX_CHARACTERS)
    return { problem: `command has ${command.length} characters, at most ${MAX_CHARACTERS} are taken.` };
  if (command.includes('\0')) return { problem: 'command holds a NUL character, which no command may.' };
  const library = readPromptLibrary(root);
  const parsed = renderSteps(command, library);
  if ('problems' in parsed)
    return { problem: `Nothing was begun.\n${problemsText(command, parsed.problems)}` };
  const { steps, gateAction } = parsed;
  if (gateAction !== undefined)
    return {
      problem: `gate_action is an argument of its own here: give chain_id and gate_action "${gateAction}".`,
    };
  const called = steps.flatMap(({ text }) => TEMPLATE_CALL.exec(text)?.[1] ?? []);
  const missing = called.find((name) => library.template(name) === undefined);
  if (missing !== undefined)
    return { problem: `Nothing was begun. ${noTemplate(missing, templateNames(root))}` };
  const [first] = steps;
  if (first && steps.length === 1 && isPlain(first)) return rendered(first);
  const loops = steps.some(({ verify }) => verify.some(({ loop }) => loop === true));
  const about = { steps, session: sessionIdIn(effects.env), atStop: loops ? 'block' : 'nothing' } as const;
  const begun = await beginKeptChain(root, about, { now: effects.now(), env: effects.env });
  if ('refused' in begun) return { problem: `Nothing was begun. ${begun.refused}` };
  await logCall(begun.chain, { why: begunWhy(begun.chain, effects.env) }, context);
  return answerOn(begun.chain, 'awaiting', stepMarkdown(begun.chain));
}

function noTemplate(name: string, names: readonly string[]): string {
  const list = names.length > 0 ? `; there are ${names.join(', ')}` : '; this project has none';
  return `There is no template "${name}"${didYouMean(name, names) || list}`;
}

function isPlain({ verify, criteria }: PromptStep): boolean {
  return verify.length + criteria.length === 0;
}

function rendered({ text }: PromptStep): ChainAnswer {
  return { chain_id: null, status: 'passed', success: true, verification: null, content: text };
}
