import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findContradictions } from '../../../../src/agent-run/promise/contradictions.ts';
import { messageLines } from '../../../../src/agent-run/promise/message.ts';
import { findPromise } from '../../../../src/agent-run/promise/promise.ts';
import { type PromptParts, renderPrompt } from '../../../../src/agent-run/promise/prompt.ts';

const PARTS: PromptParts = {
  taskId: 'TASK-001',
  title: 'Parser',
  stage: 'coder',
  iteration: 3,
  maxIterations: 15,
  specification: 'Write a parser.\n\nIt reads lists.',
  promise: 'IMPLEMENTATION_COMPLETE',
  feedback: '`npm test` does not pass.',
};

test('the prompt of an iteration', () => {
  expect(renderPrompt(PARTS)).toMatchInlineSnapshot(`
    "# TASK-001: Parser

    Stage: coder
    Ralph Iteration: 3/15

    ## Specification

    Write a parser.

    It reads lists.

    ## When it is done

    End your last message with \`<promise>IMPLEMENTATION_COMPLETE</promise>\`, without the backticks, alone on its line, and outside of code blocks and quotations. Write it only when all that the specification asks for is truly done. It is verified then:

    - that nothing in your message says otherwise, such as "TODO:", "remaining work" or "tests fail";
    - that something in the working tree has changed since the loop began;
    - that the project's own gates pass.

    A promise that does not hold is found out, and costs an iteration. If you are not done, leave the promise out and say what is left; if something blocks you, say what it is, and what you would need.

    ## Why the work is not accepted yet

    \`npm test\` does not pass.
    "
  `);
});

describe('in a prompt', () => {
  test.for<[string, Partial<PromptParts>, RegExp]>([
    ['a title may be missing', { title: null }, /^# TASK-001\n/],
    ['a tester is asked for passing tests', { stage: 'tester' }, /^- that tests pass: /m],
    ['a reviewer is asked for an approval', { stage: 'reviewer' }, /say APPROVED/],
    ['qa is asked for all gates', { stage: 'qa' }, /those that only warn included/],
    [
      'a fence that is left open is closed',
      { specification: '- ````ts\n  x\n' },
      /\n {2}x\n\n````\n\n## When/,
    ],
    ['a fence that is closed is left alone', { specification: '~~~\nx\n~~~' }, /\n~~~\nx\n~~~\n\n## When/],
    ['the specification is as it was', { specification: '$& $1 {promise}' }, /\n\$& \$1 \{promise\}\n/],
  ])('%s', ([, changes, expected]) => {
    expect(renderPrompt({ ...PARTS, ...changes })).toMatch(expected);
  });

  test.for<[string, Partial<PromptParts>]>([
    ['the first iteration', { iteration: 1 }],
    ['one without anything to say', { feedback: null }],
    ['another stage, first', { stage: 'docs', iteration: 1 }],
  ])('of %s nothing is said of an earlier one', ([, changes]) => {
    expect(renderPrompt({ ...PARTS, ...changes })).not.toContain('not accepted yet');
  });

  test('a stage that is not known has nothing to show', () => {
    const bullets = renderPrompt({ ...PARTS, stage: 'docs' }).match(/^- /gm);
    expect(bullets).toHaveLength(2);
  });
});

test('whatever it specifies, its requirements are prose, and who repeats it has neither promised nor contradicted', () => {
  const line = fc.constantFrom(
    '```',
    '~~~~',
    '- ```',
    '> x',
    'x',
    '',
    '<promise>IMPLEMENTATION_COMPLETE</promise>',
  );
  const specifications = fc.array(fc.oneof(line, fc.string({ unit: 'binary' })), { maxLength: 10 });
  fc.assert(
    fc.property(specifications, (lines) => {
      const prompt = renderPrompt({ ...PARTS, specification: lines.join('\n') });
      const required = messageLines(prompt).findLast(({ text }) => text.startsWith('End your last message'));
      expect(required?.place).toBe('prose');
      expect(findPromise(prompt, PARTS.promise, prompt)).toEqual({ kind: 'none' });
    }),
    { numRuns: 300 },
  );
  expect(findContradictions(renderPrompt(PARTS))).toEqual([]);
});
