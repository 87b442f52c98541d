import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPromise, withoutEcho } from '../../../../src/agent-run/promise/promise.ts';

const PROMISED = '<promise>DONE</promise>';
const PROMPT = [
  '# Task',
  'Write the parser.',
  '## When you are done',
  'Write this, alone on its line:',
  '',
  PROMISED,
  '',
  'It is verified then.',
].join('\n');
/** Ends with the promise, and leaves a fence open. */
const OPEN_PROMPT = ['Repair this:', '```ts', 'const x = 1', '', 'Then write:', PROMISED].join('\n');

const found = (message: string, echoed = PROMPT) => findPromise(message, 'DONE', echoed);

describe('findPromise finds a promise', () => {
  test.for([
    ['alone', PROMISED],
    ['after words', `All is done.\n\n${PROMISED}`],
    ['before words', `${PROMISED}\nI wrote the parser and its tests.`],
    ['below a paragraph', `All is done.\n${PROMISED}\n`],
    ['between spaces', `All is done.\n \t ${PROMISED}  \t\nBye.`],
    ['in a list', `- The parser\n\n    ${PROMISED}`],
    ['with CRLF', `All is done.\r\n${PROMISED}\r\n`],
    ['with lone carriage returns', `working 10 %\rworking 99 %\r${PROMISED}\r`],
    ['in colours', `\u001B[1m\u001B[32m${PROMISED}\u001B[0m`],
    ['with a coloured text', '<promise>\u001B[32mDONE\u001B[39m</promise>'],
    ['with a link', `\u001B]8;;https://example.com\u0007${PROMISED}\u001B]8;;\u0007`],
    ['with control characters', `\u0007${PROMISED}\u0000`],
    ['after invalid characters', `\uFFFD\uFFFD done \uFFFD\n${PROMISED}`],
    ['a thousand times', `${PROMISED}\n`.repeat(1000)],
    ['after a closed fence', `\`\`\`sh\nnpm test\n\`\`\`\n${PROMISED}`],
    ['after a fence of tildes', `~~~\n\`\`\`\n~~~\n${PROMISED}`],
    ['after a fence that a longer one closes', `\`\`\`\nx\n\`\`\`\`\`\n${PROMISED}`],
    ['after a fence in a list', `1. Run:\n   - \`\`\`sh\n     npm test\n     \`\`\`\n${PROMISED}`],
    ['after inline code of three backticks', `\`\`\`npm test\`\`\` passes.\n${PROMISED}`],
    ['below a quotation', `> It shall work.\n${PROMISED}`],
    ['after a promise of another text', `<promise>NEARLY</promise>\nNow it works.\n${PROMISED}`],
    ['before a sentence about it', `${PROMISED}\nI wrote \`${PROMISED}\` since all holds.`],
    ['before a code block with it', `${PROMISED}\n\`\`\`\n${PROMISED}\n\`\`\``],
  ] as const)('%s', ([, message]) => {
    expect(found(message)).toEqual({ kind: 'made' });
  });
});

describe('findPromise finds no promise in a sentence that takes it back', () => {
  test.for([
    ['I will not output', 'because two endpoints are open.'],
    ['I cannot write', 'yet.'],
    ["So I can't honestly claim", ''],
    ['I am not ready to give the completion promise', 'since the schema is missing.'],
    ['I do not output the following line:\n', 'The tests are red.'],
    ['The work is open. I therefore will\nnot print', 'now.'],
    ['I refuse to write', 'for work that is not mine.'],
    ['Instead of writing', 'I list what is left.'],
    ['I will output', 'once the tests pass.'],
    ['I would write', 'only if the logout worked.'],
    ['Before I print', 'the schema has to be merged.'],
    ['It is too early:', 'would be a lie.'],
    ['', 'is not something I can claim.'],
  ] as const)('%j, promise, %j', ([above, below]) => {
    expect(found(`${above}\n${PROMISED}\n${below}`)).toMatchObject({ kind: 'malformed', how: 'taken-back' });
  });
});

describe('findPromise finds a promise after a sentence that does not take it back', () => {
  test.for([
    ['I did not change the parser', ''],
    ['The tests do not fail any more, and there is nothing to add', ''],
    ['I could not find anything else to write', ''],
    ['I will not stop. Everything passes, so I output', ''],
    ['All of it is done, so I write', 'because every test passes.'],
    ['I do not write to stdout any more.', 'Only the linter is slower.'],
    ['Before I wrote the parser, the tests failed', ''],
    ['As requested, the promise:', 'When you merge, keep the tests.'],
  ] as const)('%j, promise, %j', ([above, below]) => {
    expect(found(`${above}\n${PROMISED}\n${below}`)).toEqual({ kind: 'made' });
  });
});

describe('findPromise finds a promise of another text', () => {
  test.for([
    ['in another case', '<promise>done</promise>', 'done', 1],
    ['of another stage', 'Done.\n<promise>TESTS_COMPLETE</promise>', 'TESTS_COMPLETE', 2],
    ['with spaces', '<promise> DONE </promise>', ' DONE ', 1],
    ['that is empty', '<promise></promise>', '', 1],
    ['that contains the expected one', '<promise>NOT DONE</promise>', 'NOT DONE', 1],
    ['after the expected one', `${PROMISED}\n<promise>WAIT</promise>`, 'WAIT', 2],
    ['before a sentence about it', '<promise>done</promise>\nI wrote <promise>DONE</promise>.', 'done', 1],
  ] as const)('%s', ([, message, text, line]) => {
    expect(found(message)).toEqual({ kind: 'other', text, line });
  });
});

describe('findPromise rejects a promise', () => {
  test.for([
    ['in a fence', `Done.\n\`\`\`\n${PROMISED}\n\`\`\``, 'in-fence', 3],
    ['in a fence of tildes', `~~~\n${PROMISED}\n~~~`, 'in-fence', 2],
    ['in a fence with a language', `\`\`\`xml\n${PROMISED}\n\`\`\``, 'in-fence', 2],
    ['in an unclosed fence', `\`\`\`\nx\n\n${PROMISED}`, 'in-fence', 4],
    ['in a fence before a shorter one', `\`\`\`\`\n\`\`\`\n${PROMISED}\n\`\`\`\``, 'in-fence', 3],
    ['in a fence before one of other characters', `\`\`\`\n~~~\n${PROMISED}`, 'in-fence', 3],
    ['in a fence before one with text', `\`\`\`\n\`\`\` x\n${PROMISED}`, 'in-fence', 3],
    ['in a fence of a list', `- \`\`\`\n  ${PROMISED}\n  \`\`\``, 'in-fence', 2],
    ['in a quotation', `> ${PROMISED}`, 'in-quotation', 1],
    ['in a quotation of a quotation', `>> ${PROMISED}`, 'in-quotation', 1],
    ['in backticks', `\`${PROMISED}\``, 'not-alone', 1],
    ['in bold', `**${PROMISED}**`, 'not-alone', 1],
    ['after words', `Done: ${PROMISED}`, 'not-alone', 1],
    ['before a full stop', `Done.\n${PROMISED}.`, 'not-alone', 2],
    ['in a list item', `- ${PROMISED}`, 'not-alone', 1],
    ['between quotation marks', `"${PROMISED}"`, 'not-alone', 1],
    ['twice on a line', `${PROMISED}${PROMISED}`, 'not-alone', 1],
    ['in a negated sentence', `I cannot write ${PROMISED} yet.`, 'not-alone', 1],
    ['on three lines', '<promise>\nDONE\n</promise>', 'not-closed', 1],
    ['without a closing tag', '<promise>DONE', 'not-closed', 1],
  ] as const)('%s', ([, message, how, line]) => {
    expect(found(message)).toEqual({ kind: 'malformed', how, line });
  });
});

describe('findPromise finds nothing', () => {
  test.for([
    ['in an empty message', ''],
    ['in words', 'All is DONE.'],
    ['in a closing tag alone', 'DONE</promise>'],
    ['in another tag', '<PROMISE>DONE</PROMISE>'],
    ['in the prompt', PROMPT],
    ['in the prompt with CRLF', PROMPT.replaceAll('\n', '\r\n')],
    ['in the prompt in colours', `\u001B[2m${PROMPT}\u001B[0m`],
    ['in the prompt among other output', `agent 1.0\n${PROMPT}\nI give up.`],
    ['in the prompt, twice', `${PROMPT}\n\n${PROMPT}\nI give up.`],
    ['in a part of the prompt', `Write this:\n\n${PROMISED}\n\nIt is verified then.\nI give up.`],
    ['in the prompt, indented', PROMPT.replaceAll(/^/gm, '  ')],
  ] as const)('%s', ([, message]) => {
    expect(found(message)).toEqual({ kind: 'none' });
  });

  test.for([
    ['in a prompt that ends with it', OPEN_PROMPT],
    ['in the end of a prompt', `Then write:\n${PROMISED}\nI give up.`],
  ] as const)('%s', ([, message]) => {
    expect(found(message, OPEN_PROMPT)).toEqual({ kind: 'none' });
  });
});

describe('findPromise finds a promise after the echoed prompt', () => {
  test.for([
    ['immediately', `${PROMPT}\n${PROMISED}`, PROMPT],
    ['with words in between', `${PROMPT}\nWorking.\nAll is done.\n\n${PROMISED}`, PROMPT],
    ['that is echoed twice', `${PROMPT}\n${PROMPT}\n${PROMISED}\n`, PROMPT],
    ['that ends with the promise', `${OPEN_PROMPT}\nAll is done.\n${PROMISED}`, OPEN_PROMPT],
    ['that leaves a fence open', `${OPEN_PROMPT}\n${PROMISED}`, OPEN_PROMPT],
    ['that leaves a fence open and ends with a blank', `${OPEN_PROMPT}\t\n${PROMISED}`, `${OPEN_PROMPT}\t`],
    [
      'that leaves a fence open and is indented',
      `${OPEN_PROMPT.replaceAll(/^/gm, '  ')}\n${PROMISED}`,
      OPEN_PROMPT,
    ],
    ['when there is no prompt', PROMISED, ''],
    ['with words of the prompt', `Write this, alone on its line:\n\n${PROMISED}`, PROMPT],
  ] as const)('%s', ([, message, echoed]) => {
    expect(found(message, echoed)).toEqual({ kind: 'made' });
  });
});

test('withoutEcho keeps the numbers of all other lines', () => {
  const message = `agent 1.0\n${PROMPT}\nTODO: tests`;
  const rest = withoutEcho(message, PROMPT).split('\n');
  expect(rest).toHaveLength(message.split('\n').length);
  expect(rest.filter((line) => line !== '')).toEqual(['agent 1.0', 'TODO: tests']);
  expect(rest.at(-1)).toBe('TODO: tests');
});

const piece = fc.oneof(
  fc.constantFrom(
    '```',
    '~~~~',
    '- ```',
    '> x',
    PROMISED,
    '<promise>x</promise>',
    `a ${PROMISED}`,
    'x',
    '',
    '  ',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const arbitraryMessage = fc.array(piece, { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('findPromise, for any message,', () => {
  test('finds a promise after it, unless a fence is open', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        expect(found(`${message.replaceAll(/```|~~~/g, '')}\n${PROMISED}`)).toEqual({ kind: 'made' });
      }),
      { numRuns: 500 },
    );
  });

  test('finds no promise when it is in a fence', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        const fence = '`'.repeat(message.length + 3);
        expect(found(`${fence}\n${message}\n${fence}`).kind).toMatch(/^(?:none|malformed)$/);
      }),
      { numRuns: 500 },
    );
  });

  test('finds no promise when it is the prompt, and a promise after that', () => {
    fc.assert(
      fc.property(arbitraryMessage, (specification) => {
        const prompt = `Task:\n${specification}`;
        expect(found(prompt, prompt).kind).toBe('none');
        expect(found(`${prompt}\n${PROMISED}`, prompt).kind).toBe('made');
      }),
      { numRuns: 500 },
    );
  });
});

const MEGABYTE = 2 ** 20;
const filled = (part: string) => part.repeat(Math.ceil(MEGABYTE / part.length));

// With quadratic run time each of these would take minutes, and the test would time out.
test.for([
  ['of promises', filled(`${PROMISED}\n`), PROMPT, 'made'],
  ['of promises in one line', filled(PROMISED), PROMPT, 'malformed'],
  ['of opening tags', filled('<promise>'), PROMPT, 'malformed'],
  ['of echoed prompts', filled(`${PROMPT}\n`), PROMPT, 'none'],
  ['of promises that are also in the prompt', filled(`${PROMISED}\n`), filled(`${PROMISED}\n`), 'none'],
  ['of one letter that is also in the prompt', filled('a'), `b${'a'.repeat(MEGABYTE / 2)}`, 'none'],
  ['of one line that is also in the prompt', filled('a\n'), `b\n${'a\n'.repeat(MEGABYTE / 4)}`, 'none'],
  ['of fences', filled('```\n'), PROMPT, 'none'],
  ['of backticks', filled('`'), PROMPT, 'none'],
  ['of spaces', `<promise>${filled(' ')}x`, PROMPT, 'malformed'],
  ['of list markers', filled('- '), PROMPT, 'none'],
  ['of line endings', filled('\r'), PROMPT, 'none'],
  ['of unterminated escape sequences', filled('\u001B]8;;'), PROMPT, 'none'],
] as const)('findPromise reads a megabyte %s in linear time', ([, message, echoed, kind]) => {
  expect(found(message, echoed).kind).toBe(kind);
});
