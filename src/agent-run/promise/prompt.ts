import { openFence } from './message.ts';

/** What the agent is told at an iteration. */
export interface PromptParts {
  readonly taskId: string;
  readonly title: string | null;
  readonly stage: string;
  /** From 1. */
  readonly iteration: number;
  readonly maxIterations: number;
  /** Markdown, or any text; handed on as it is. */
  readonly specification: string;
  /** The text to be promised. */
  readonly promise: string;
  /** Why the work is not accepted yet; null where there is nothing to say. */
  readonly feedback: string | null;
}

/** What a stage has to show beside the promise, as `judgePromise` asks for it. */
const SHOWN: Readonly<Record<string, string>> = {
  coder: 'that something in the working tree has changed since the loop began;',
  tester: 'that tests pass: end with what the test runner prints last;',
  reviewer: 'that you approve: say APPROVED, or else what has to change, without the promise;',
  qa: 'that every gate of the project passes, those that only warn included;',
};

/**
 * The prompt of one iteration, as Markdown. The promise stands in it inside a sentence only, so that who repeats the
 * prompt has not promised.
 */
export function renderPrompt(parts: PromptParts): string {
  const { taskId, title, stage, iteration, maxIterations, specification, promise, feedback } = parts;
  const fence = openFence(specification);
  const shown = SHOWN[stage];
  return [
    `# ${taskId}${title ? `: ${title}` : ''}`,
    '',
    `Stage: ${stage}`,
    `Ralph Iteration: ${iteration}/${maxIterations}`,
    '',
    '## Specification',
    '',
    specification,
    // Else what follows would be code.
    ...(fence === '' ? [] : [fence]),
    '',
    '## When it is done',
    '',
    `End your last message with \`<promise>${promise}</promise>\`, without the backticks, alone on its line, and outside of code blocks and quotations. Write it only when all that the specification asks for is truly done. It is verified then:`,
    '',
    '- that nothing in your message says otherwise, such as "TODO:", "remaining work" or "tests fail";',
    ...(shown === undefined ? [] : [`- ${shown}`]),
    "- that the project's own gates pass.",
    '',
    'A promise that does not hold is found out, and costs an iteration. If you are not done, leave the promise out and say what is left; if something blocks you, say what it is, and what you would need.',
    // Without a number: where the last iteration was interrupted, it is that of an earlier one.
    ...(iteration > 1 && feedback !== null ? ['', '## Why the work is not accepted yet', '', feedback] : []),
    '',
  ].join('\n');
}
