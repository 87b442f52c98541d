import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findContradictions } from '../../../../src/agent-run/promise/contradictions.ts';
import { findPromise } from '../../../../src/agent-run/promise/promise.ts';
import { type PromptParts, renderPrompt } from '../../../../src/agent-run/promise/prompt.ts';
import { messageLines } from '../../../../src/gates/words/message.ts';

const PARTS: PromptParts = {
  taskId: 'TASK-001',
  title: 'Parser',
  stage: 'coder',
  iteration: 3,
  maxIterations: 15,
  isRepository: true,
  specification: 'Write a parser.\n\nIt reads lists.',
  promise: 'IMPLEMENTATION_COMPLETE',
  feedback: '`npm test` does not pass.',
};

test('renderPrompt returns the whole prompt of an iteration', () => {
  expect(renderPrompt(PARTS)).toMatchInlineSnapshot(`
    "# TASK-001: Parser

    Stage: coder
    Ralph Iteration: 3/15

    ## Specification

    Write a parser.

    It reads lists.

    ## When it is done

    Commit your work, and nothing else, with messages that give the reason, unless the specification says otherwise.

    End your last message with \`<promise>IMPLEMENTATION_COMPLETE</promise>\`, without the backticks, alone on its line, and outside of code blocks and quotations. Write it only when everything that the specification asks for is done. It is then verified:

    - that nothing in your message says otherwise, such as "TODO:", "remaining work" or "tests fail";
    - that something in the working tree has changed since this run started;
    - that the project's own gates pass.

    A false promise is detected, and costs an iteration. If you are not done, leave the promise out and say what is left; if something blocks you, say what it is, and what you would need.

    ## Why the work is not accepted yet

    \`npm test\` does not pass.
    "
  `);
});

describe('renderPrompt', () => {
  test.for<[string, Partial<PromptParts>, RegExp]>([
    ['omits a missing title', { title: null }, /^# TASK-001\n/],
    ['asks a coder to commit', {}, /^Commit your work, and nothing else, /m],
    ['asks no other stage to commit', { stage: 'tester' }, /^(?![\s\S]*Commit your work)/],
    ['asks nobody to commit outside of git', { isRepository: false }, /^(?![\s\S]*Commit your work)/],
    ['asks a tester for passing tests', { stage: 'tester' }, /^- that tests pass: /m],
    ['asks a reviewer for an approval', { stage: 'reviewer' }, /say APPROVED/],
    ['asks qa for all gates', { stage: 'qa' }, /including those that only warn/],
    [
      'closes a code block that the specification leaves open',
      { specification: '- ````ts\n  x\n' },
      /\n {2}x\n\n````\n\n## When/,
    ],
    ['adds no fence after a closed code block', { specification: '~~~\nx\n~~~' }, /\n~~~\nx\n~~~\n\n## When/],
    ['does not change the specification', { specification: '$& $1 {promise}' }, /\n\$& \$1 \{promise\}\n/],
  ])('%s', ([, changes, expected]) => {
    expect(renderPrompt({ ...PARTS, ...changes })).toMatch(expected);
  });

  test.for<[string, Partial<PromptParts>]>([
    ['in the first iteration', { iteration: 1 }],
    ['without feedback', { feedback: null }],
    ['in the first iteration of another stage', { stage: 'docs', iteration: 1 }],
  ])('has no feedback section %s', ([, changes]) => {
    expect(renderPrompt({ ...PARTS, ...changes })).not.toContain('not accepted yet');
  });

  test('asks an unknown stage for no evidence', () => {
    const bullets = renderPrompt({ ...PARTS, stage: 'docs' }).match(/^- /gm);
    expect(bullets).toHaveLength(2);
  });
});

test('renderPrompt returns a prompt whose repetition is neither a promise nor a contradiction, for any specification', () => {
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
