import { openFence } from '../../gates/words/message.ts';

export interface PromptParts {
  readonly taskId: string;
  readonly title: string | null;
  readonly stage: string;
  /** From 1. */
  readonly iteration: number;
  readonly maxIterations: number;
  /** Whether the agent works in a git repository. */
  readonly isRepository: boolean;
  /** Markdown, or any text. It is not changed. */
  readonly specification: string;
  /** The text that the agent should promise. */
  readonly promise: string;
  /** Why the work is not accepted yet; null when there is nothing to say. */
  readonly feedback: string | null;
}

/** The evidence that each stage requires, as `judgePromise` checks it. */
const REQUIRED_EVIDENCE: Readonly<Record<string, string>> = {
  coder: 'that something in the working tree has changed since this run started;',
  tester: 'that tests pass: end with the last lines that the test runner prints;',
  reviewer: 'that you approve: say APPROVED, or else what has to change, without the promise;',
  qa: 'that every gate of the project passes, including those that only warn;',
};

const COMMIT_REQUEST =
  'Commit your work, and nothing else, with messages that give the reason, unless the specification says otherwise.';

/**
 * Returns the prompt of one iteration, as Markdown. It shows the promise only inside a sentence, so that an agent that
 * repeats the prompt has not promised.
 */
export function renderPrompt(parts: PromptParts): string {
  const { taskId, title, stage, iteration, maxIterations, isRepository, specification, promise, feedback } =
    parts;
  const fence = openFence(specification);
  const evidence = REQUIRED_EVIDENCE[stage];
  return [
    `# ${taskId}${title ? `: ${title}` : ''}`,
    '',
    `Stage: ${stage}`,
    `Ralph Iteration: ${iteration}/${maxIterations}`,
    '',
    '## Specification',
    '',
    specification,
    // Closes a code block that the specification leaves open.
    ...(fence === '' ? [] : [fence]),
    '',
    '## When it is done',
    '',
    ...(stage === 'coder' && isRepository ? [COMMIT_REQUEST, ''] : []),
    `End your last message with \`<promise>${promise}</promise>\`, without the backticks, alone on its line, and outside of code blocks and quotations. Write it only when everything that the specification asks for is done. It is then verified:`,
    '',
    '- that nothing in your message says otherwise, such as "TODO:", "remaining work" or "tests fail";',
    ...(evidence === undefined ? [] : [`- ${evidence}`]),
    "- that the project's own gates pass.",
    '',
    'A false promise is detected, and costs an iteration. If you are not done, leave the promise out and say what is left; if something blocks you, say what it is, and what you would need.',
    // Without the number of the iteration: after an interruption, the feedback is that of an earlier one.
    ...(iteration > 1 && feedback !== null ? ['', '## Why the work is not accepted yet', '', feedback] : []),
    '',
  ].join('\n');
}
