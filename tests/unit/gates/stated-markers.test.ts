import { describe, expect, test } from 'vitest';
import { statedMarkers } from '../../../src/gates/words/markers.ts';

const MARKERS = ['LINT_FINISH', 'TYPE_CHECK_FINISH', 'CHECK_FINISH'];
const ALL = MARKERS.join(', ');

describe('a marker is stated', () => {
  test.each([
    ['alone on a line', 'Lint passes.\n\nLINT_FINISH'],
    ['at the end of a sentence', 'Lint passes with 0 errors. LINT_FINISH'],
    ['after a label', 'All checks pass: LINT_FINISH.'],
    ['after a label that negates a failure', 'eslint reports no problems: LINT_FINISH'],
    ['after a number of errors', 'lint: 0 errors LINT_FINISH'],
    ['in bold', '**LINT_FINISH**'],
    ['in a list with a tick', '- ✅ LINT_FINISH'],
    ['before what was found', 'LINT_FINISH (no warnings, nothing left to fix)'],
    ['before a clause that negates something else', 'LINT_FINISH: not a single warning is left.'],
    ['below another sentence that negates', 'I did not change the tests.\n\nLINT_FINISH'],
    ['below a question', 'Is there more to do? No.\nLINT_FINISH'],
    ['after it was denied', 'LINT_FINISH was not reached at first. Now lint passes.\n\nLINT_FINISH'],
    ['after a code block', '```\nnpm run lint\n```\nLINT_FINISH'],
    ['with an apostrophe before it', "Lint doesn't complain any more. LINT_FINISH"],
    ['in CRLF', 'Done.\r\nLINT_FINISH\r\n'],
    ['in a row of a table', '| lint | passes | LINT_FINISH |'],
  ])('%s', (_, message) => {
    expect(statedMarkers(message, MARKERS)).toEqual(['LINT_FINISH']);
  });

  test('in a list of several', () => {
    expect(statedMarkers(`Done: LINT_FINISH, TYPE_CHECK_FINISH and CHECK_FINISH.`, MARKERS)).toEqual(MARKERS);
    expect(statedMarkers(MARKERS.join('\n'), MARKERS)).toEqual(MARKERS);
  });

  test.each([
    ['it contains', 'TYPE_CHECK_FINISH', ['TYPE_CHECK_FINISH']],
    ['that contains it', 'CHECK_FINISH', ['CHECK_FINISH']],
    ['with a part before it', 'PRE-LINT_FINISH NOLINT_FINISH LINT_FINISHED', []],
  ])('as a whole word, and not the one %s', (_, message, stated) => {
    expect(statedMarkers(message, MARKERS)).toEqual(stated);
  });

  test.each(['A__B_FINISH', 'A.B_FINISH', 'ALL-PACKAGES_FINISH', 'STRASSE_É_FINISH', 'A(B)_FINISH'])(
    'whatever it consists of: %s',
    (marker) => {
      expect(statedMarkers(`Done.\n${marker}\n`, [marker])).toEqual([marker]);
      expect(statedMarkers(`I cannot output ${marker}.`, [marker])).toEqual([]);
    },
  );
});

describe('a marker is not stated in', () => {
  test.each([
    ['a denial', 'I cannot output LINT_FINISH.'],
    ['a denial with reasons', "I can't honestly write LINT_FINISH, because lint still fails."],
    ['a denial over two lines', 'The rule is not fixed, so I will not output\nLINT_FINISH'],
    ['a denial with a label', 'I cannot claim: LINT_FINISH'],
    ['a denial after it', 'LINT_FINISH is not reached yet.'],
    ['a denial after it, on the next line', 'LINT_FINISH\nis not reached yet.'],
    ['a short denial', 'not LINT_FINISH'],
    ['a contraction', "LINT_FINISH isn't earned."],
    ['a cross', '- LINT_FINISH ❌'],
    ['a state that is no pass', 'LINT_FINISH: pending'],
    ['a list of what is missing', `Missing: ${ALL}`],
    ['a list of what is missing, below its heading', 'Still missing:\n\n- LINT_FINISH\n- CHECK_FINISH'],
    ['an echo of the reason of a block', `Iteration 2/5. Missing completion markers: ${ALL}.`],
    ['an echo in lower case', 'The hook says the markers LINT_FINISH and CHECK_FINISH are missing.'],
    ['a quotation', 'The hook said:\n> LINT_FINISH'],
    ['quotation marks', 'The hook wants the word "LINT_FINISH" from me.'],
    ['inline code', 'The marker is `LINT_FINISH`.'],
    ['a code block', '```\nLINT_FINISH\n```'],
    ['a code block that is not closed', 'As in:\n~~~text\nLINT_FINISH'],
    ['struck-through text', '~~LINT_FINISH~~'],
    ['a comment of HTML', '<!-- LINT_FINISH -->'],
    ['a condition', 'If lint passes, I write LINT_FINISH.'],
    ['a condition after it', 'LINT_FINISH once the linter is installed.'],
    ['a promise for later', 'I will output LINT_FINISH later.'],
    ['a request', 'You asked me to output LINT_FINISH.'],
    ['a question', 'Should I output LINT_FINISH?'],
    ['a revocation', 'LINT_FINISH\n\nCorrection: LINT_FINISH is premature, lint fails.'],
    ['another denial', 'Lint fails, therefore no LINT_FINISH.'],
    ['a sentence that only names it', 'LINT_FINISH means that the linter was run.'],
  ])('%s', (_, message) => {
    expect(statedMarkers(message, MARKERS)).toEqual([]);
  });
});

test('in a message with thousands of markers', () => {
  const parts = [
    'not LINT_FINISH, ',
    'LINT_FINISH\n',
    '`" <',
    '-> <!-- ',
    '--> LINT_FINISH, ',
    '\n- LINT_FINISH',
  ];
  const message = `${parts.map((part) => part.repeat(5000)).join('\n')}\n-->\nLINT_FINISH`;
  expect(statedMarkers(message, MARKERS)).toEqual(['LINT_FINISH']);
});
