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

describe('the promise is made', () => {
  test.for([
    ['alone', PROMISED],
    ['behind words', `All is done.\n\n${PROMISED}`],
    ['before words', `${PROMISED}\nI wrote the parser and its tests.`],
    ['below a paragraph', `All is done.\n${PROMISED}\n`],
    ['between blanks', `All is done.\n \t ${PROMISED}  \t\nBye.`],
    ['in a list', `- The parser\n\n    ${PROMISED}`],
    ['with CRLF', `All is done.\r\n${PROMISED}\r\n`],
    ['with lone carriage returns', `working 10 %\rworking 99 %\r${PROMISED}\r`],
    ['in colours', `\u001B[1m\u001B[32m${PROMISED}\u001B[0m`],
    ['in colours of its parts', '<promise>\u001B[32mDONE\u001B[39m</promise>'],
    ['with a link', `\u001B]8;;https://example.com\u0007${PROMISED}\u001B]8;;\u0007`],
    ['with control characters', `\u0007${PROMISED}\u0000`],
    ['behind broken characters', `\uFFFD\uFFFD done \uFFFD\n${PROMISED}`],
    ['a thousand times', `${PROMISED}\n`.repeat(1000)],
    ['behind a closed fence', `\`\`\`sh\nnpm test\n\`\`\`\n${PROMISED}`],
    ['behind a fence of tildes', `~~~\n\`\`\`\n~~~\n${PROMISED}`],
    ['behind a longer end of a fence', `\`\`\`\nx\n\`\`\`\`\`\n${PROMISED}`],
    ['behind a fence in a list', `1. Run:\n   - \`\`\`sh\n     npm test\n     \`\`\`\n${PROMISED}`],
    ['behind inline code of three backticks', `\`\`\`npm test\`\`\` passes.\n${PROMISED}`],
    ['below a quotation', `> It shall work.\n${PROMISED}`],
    ['behind another text', `<promise>NEARLY</promise>\nNow it works.\n${PROMISED}`],
    ['and then spoken of', `${PROMISED}\nI wrote \`${PROMISED}\` since all holds.`],
    ['and then shown', `${PROMISED}\n\`\`\`\n${PROMISED}\n\`\`\``],
  ] as const)('%s', ([, message]) => {
    expect(found(message)).toEqual({ kind: 'made' });
  });
});

describe('another text is promised', () => {
  test.for([
    ['in another case', '<promise>done</promise>', 'done', 1],
    ['of another stage', 'Done.\n<promise>TESTS_COMPLETE</promise>', 'TESTS_COMPLETE', 2],
    ['with blanks', '<promise> DONE </promise>', ' DONE ', 1],
    ['that is empty', '<promise></promise>', '', 1],
    ['that holds it', '<promise>NOT DONE</promise>', 'NOT DONE', 1],
    ['last', `${PROMISED}\n<promise>WAIT</promise>`, 'WAIT', 2],
    ['and then spoken of', '<promise>done</promise>\nI wrote <promise>DONE</promise>.', 'done', 1],
  ] as const)('%s', ([, message, text, line]) => {
    expect(found(message)).toEqual({ kind: 'other', text, line });
  });
});

describe('a promise does not count', () => {
  test.for([
    ['in a fence', `Done.\n\`\`\`\n${PROMISED}\n\`\`\``, 'in-fence', 3],
    ['in a fence of tildes', `~~~\n${PROMISED}\n~~~`, 'in-fence', 2],
    ['in a fence with a language', `\`\`\`xml\n${PROMISED}\n\`\`\``, 'in-fence', 2],
    ['in a fence that nothing closes', `\`\`\`\nx\n\n${PROMISED}`, 'in-fence', 4],
    [
      'in a fence that a shorter one does not close',
      `\`\`\`\`\n\`\`\`\n${PROMISED}\n\`\`\`\``,
      'in-fence',
      3,
    ],
    ['in a fence that another sign does not close', `\`\`\`\n~~~\n${PROMISED}`, 'in-fence', 3],
    ['in a fence that text does not close', `\`\`\`\n\`\`\` x\n${PROMISED}`, 'in-fence', 3],
    ['in a fence of a list', `- \`\`\`\n  ${PROMISED}\n  \`\`\``, 'in-fence', 2],
    ['in a quotation', `> ${PROMISED}`, 'in-quotation', 1],
    ['in a quotation of a quotation', `>> ${PROMISED}`, 'in-quotation', 1],
    ['in backticks', `\`${PROMISED}\``, 'not-alone', 1],
    ['in bold', `**${PROMISED}**`, 'not-alone', 1],
    ['behind words', `Done: ${PROMISED}`, 'not-alone', 1],
    ['before a full stop', `Done.\n${PROMISED}.`, 'not-alone', 2],
    ['as an item', `- ${PROMISED}`, 'not-alone', 1],
    ['between quotation marks', `"${PROMISED}"`, 'not-alone', 1],
    ['twice on a line', `${PROMISED}${PROMISED}`, 'not-alone', 1],
    ['that is denied', `I cannot write ${PROMISED} yet.`, 'not-alone', 1],
    ['over three lines', '<promise>\nDONE\n</promise>', 'not-closed', 1],
    ['without an end', '<promise>DONE', 'not-closed', 1],
  ] as const)('%s', ([, message, how, line]) => {
    expect(found(message)).toEqual({ kind: 'malformed', how, line });
  });
});

describe('there is no promise', () => {
  test.for([
    ['in nothing', ''],
    ['in words', 'All is DONE.'],
    ['in an end alone', 'DONE</promise>'],
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

describe('behind an echo of the prompt the promise is made', () => {
  test.for([
    ['at once', `${PROMPT}\n${PROMISED}`, PROMPT],
    ['behind words', `${PROMPT}\nWorking.\nAll is done.\n\n${PROMISED}`, PROMPT],
    ['behind two echoes', `${PROMPT}\n${PROMPT}\n${PROMISED}\n`, PROMPT],
    ['behind a prompt that ends with it', `${OPEN_PROMPT}\nAll is done.\n${PROMISED}`, OPEN_PROMPT],
    ['behind an open fence, at once', `${OPEN_PROMPT}\n${PROMISED}`, OPEN_PROMPT],
    ['where the prompt is nothing else', PROMISED, ''],
    ['in words of the prompt', `Write this, alone on its line:\n\n${PROMISED}`, PROMPT],
  ] as const)('%s', ([, message, echoed]) => {
    expect(found(message, echoed)).toEqual({ kind: 'made' });
  });
});

test('every other line keeps its number where an echo was', () => {
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

describe('of any message', () => {
  test('a promise behind it is made, unless a fence is open', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        expect(found(`${message.replaceAll(/```|~~~/g, '')}\n${PROMISED}`)).toEqual({ kind: 'made' });
      }),
      { numRuns: 500 },
    );
  });

  test('none is made in a fence around it', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        const fence = '`'.repeat(message.length + 3);
        expect(found(`${fence}\n${message}\n${fence}`).kind).toMatch(/^(?:none|malformed)$/);
      }),
      { numRuns: 500 },
    );
  });

  test('none is made by printing it as the prompt, and one is made behind that', () => {
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

// Looking at a message as often as it has lines would take minutes here: the limit of every test would end it.
test.for([
  ['of promises', filled(`${PROMISED}\n`), PROMPT, 'made'],
  ['of promises in one line', filled(PROMISED), PROMPT, 'malformed'],
  ['of beginnings', filled('<promise>'), PROMPT, 'malformed'],
  ['of echoes', filled(`${PROMPT}\n`), PROMPT, 'none'],
  ['of promises, as in the prompt', filled(`${PROMISED}\n`), filled(`${PROMISED}\n`), 'none'],
  ['of one letter, as in the prompt', filled('a'), `b${'a'.repeat(MEGABYTE / 2)}`, 'none'],
  ['of one line, as in the prompt', filled('a\n'), `b\n${'a\n'.repeat(MEGABYTE / 4)}`, 'none'],
  ['of fences', filled('```\n'), PROMPT, 'none'],
  ['of backticks', filled('`'), PROMPT, 'none'],
  ['of blanks', `<promise>${filled(' ')}x`, PROMPT, 'malformed'],
  ['of list marks', filled('- '), PROMPT, 'none'],
  ['of line ends', filled('\r'), PROMPT, 'none'],
  ['of escape sequences that nothing ends', filled('\u001B]8;;'), PROMPT, 'none'],
] as const)('a megabyte %s is read in one go', ([, message, echoed, kind]) => {
  expect(found(message, echoed).kind).toBe(kind);
});
