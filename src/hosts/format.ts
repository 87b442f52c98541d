import { printable } from '../base/text.ts';
import { type HostName, hostNamed } from './registry.ts';
import type { AllowReason, Answer, EditEvent, PromptEvent } from './types.ts';

/**
 * The answer to a stop as one line of JSON for stdout; empty if there is nothing to say.
 *
 * @param contextEvent the event's name if a block is answered as context
 */
export function writeAnswer(answer: Answer, host: HostName, contextEvent?: string): string {
  const fields = answerFields(answer, host, contextEvent);
  return Object.keys(fields).length > 0 ? jsonLine(fields) : '';
}

/** One line of JSON whose texts are printable: hosts print them in a terminal as they are. */
export function jsonLine(fields: object): string {
  return JSON.stringify(fields, (_, part) => (typeof part === 'string' ? printable(part) : part));
}

/**
 * The keys of an answer that the host accepts; none if there is nothing to say.
 *
 * @param contextEvent as for `writeAnswer`
 */
export function answerFields(answer: Answer, name: HostName, contextEvent?: string): object {
  if (answer.decision === 'ignore') return {};
  const { block = portableBlock, stopContext, answerExtras } = hostNamed(name);
  const { toPerson, warnings = [] } = answer;
  const sendBack = (reason: string) =>
    stopContext && contextEvent !== undefined ? stopContext.answer(contextEvent, reason) : block(reason);
  return {
    ...(answer.decision === 'block' && sendBack(answer.reason)),
    ...(answerExtras.includes('warnings') && warnings.length > 0 && { warnings }),
    ...(answerExtras.includes('systemMessage') && toPerson !== undefined && { systemMessage: toPerson }),
  };
}

/** The only form of a block that every host understands. */
function portableBlock(reason: string): object {
  return { decision: 'block', reason };
}

/** Whether a hook's output blocks a stop in the host's form, with a reason that contains the text. */
export function isBlock(stdout: string, name: string, text: string): boolean {
  const { block = portableBlock } = hostNamed(name);
  try {
    return matches(JSON.parse(stdout), block(text), text);
  } catch {
    return false;
  }
}

/** Whether a value has everything that the expected one has; a string with the text may be another one with it. */
function matches(value: unknown, expected: unknown, text: string): boolean {
  if (typeof expected === 'string' && expected.includes(text))
    return typeof value === 'string' && value.includes(text);
  if (typeof expected !== 'object' || expected === null) return value === expected;
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([key, inner]) => matches(fields[key], inner, text));
}

/**
 * The answer to a prompt that adds context for the agent and a message for the person, as far as the host passes them
 * on; empty if it passes on neither.
 */
export function writePromptContext(
  { host, name }: PromptEvent,
  { context, toPerson }: { readonly context?: string; readonly toPerson?: string },
): string {
  const { promptContext, answerExtras } = hostNamed(host);
  const fields = {
    ...(context !== undefined && promptContext?.(name, context)),
    ...(toPerson !== undefined && answerExtras.includes('systemMessage') && { systemMessage: toPerson }),
  };
  return Object.keys(fields).length > 0 ? jsonLine(fields) : '';
}

/** The answer after an edit that adds a note for the agent; empty if the host does not pass it on. */
export function writeEditNote({ host, name }: Pick<EditEvent, 'host' | 'name'>, note: string): string {
  const { editContext } = hostNamed(host);
  return editContext ? jsonLine(editContext(name, note)) : '';
}

/** The answer to a prompt that rejects it; the person reads the reason. */
export function writePromptRefusal({ host }: PromptEvent, reason: string): string {
  const { rejectPrompt = portableBlock } = hostNamed(host);
  return jsonLine(rejectPrompt(reason));
}

/**
 * The answer in the form of Trellis's Python hook, for scripts that parse it. It contains `allow`, which today's hosts
 * reject.
 *
 * @param maxIterations the limit that the answer names if it was reached
 */
export function writeTrellisAnswer(answer: Answer, maxIterations: number): string {
  if (answer.decision === 'ignore') return '';
  if (answer.decision === 'block') {
    const { why: _, ...fields } = answer;
    return jsonLine(fields);
  }
  const details = answer.why === 'cap-reached' && answer.toPerson ? `\n${answer.toPerson}` : '';
  return jsonLine({ decision: 'allow', reason: allowText(answer.why, maxIterations) + details });
}

function allowText(why: AllowReason, maxIterations: number): string {
  switch (why) {
    case 'commands-passed':
      return 'All verify commands passed. Check phase complete.';
    case 'verified':
    case 'unverified':
    case 'escalated':
    case 'expired':
      return 'The gates typed into the prompt were checked.';
    case 'markers-found':
      return 'All completion markers found. Check phase complete.';
    case 'cap-reached':
      return `Max iterations (${maxIterations}) reached. Stopping to prevent infinite loop.`;
    case 'unchanged':
      return 'Nothing has changed since the last prompt or stop.';
    case 'postponed':
      return 'The agent waits for work in the background.';
    case 'of-another-session':
      return 'What fails is the work of another session.';
    case 'cancelled':
      return 'The loop was cancelled.';
    case 'no-gates':
      return 'No gates are configured.';
    case 'guard-lost':
      return 'Earlier stops of this session were verified, and this one was not.';
    case 'internal-error':
      return 'ralph-loop had an internal error.';
    case 'cannot-count':
      return 'The loop state cannot be written.';
  }
}
