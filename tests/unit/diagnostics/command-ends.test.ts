import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

const WARNINGS =
  'src/pool.cpp:11:81: warning: Possible null pointer dereference: p\nsrc/pool.cpp:10:10: warning: Access of moved variable';
const ENDS = [
  ['a step of a CI service', '##[error]Process completed with exit code 1.'],
  ['make', 'make[1]: *** [Makefile:12: lint] Error 1\nmake: *** [Makefile:3: all] Error 2'],
  ['a runner of recipes', 'error: Recipe `lint` failed on line 12 with exit code 1'],
  ['a runner of sessions', 'nox > Command lint -q failed with exit code 1\nnox > Session lint failed.'],
];

test.each(ENDS)('the warnings of a command are shown above its end: %s', (_, end) => {
  expect(excerpt(`${WARNINGS}\n${end}\n`)).toContain(WARNINGS);
});

test.each(ENDS)('what explains no error is left out, also above the end of a command: %s', (_, end) => {
  const shown = excerpt(`${WARNINGS}\nsrc/cart.ts(3,5): error TS2322: Type 'A' is not 'B'.\n${end}\n`);

  expect(shown).toContain('TS2322');
  expect(shown).not.toContain('moved variable');
});

test('what the last command printed is shown below a failed test, if it says neither that it failed nor that it passed', () => {
  const tests = Array.from({ length: 2000 }, (_, i) => `  ✓ adds ${'a'.repeat(i % 7)}${i}`).join('\n');
  const failed = '✗ subtracts\n  Error: expected 3 to be 4\n      at a (src/a.js:3:5)';
  const size =
    '> size-limit\n\nInstall a preset for the type of the project\n\nFor applications\n  npm install preset-app';
  const output = `${tests}\n${failed}\nTests: 1 failed, 400 passed\nThe results are in out.xml\n\n> size\n${size}\n\nSee the manual`;

  expect(excerpt(output)).toContain('Install a preset for the type of the project');
  expect(excerpt(`${output}\n✓ all are small`)).not.toContain('Install a preset');
});

test('the last lines of a command say why it failed, also below a warning that the one before has failed', () => {
  const end = '>> Exited with code: 1.\n>> Error executing child process: Error: Process exited with code 1.';
  const failed = Array.from(
    { length: 9 },
    (_, i) => `not ok ${i} adds\n  ---\n  message: got ${'a'.repeat(300)}${i}\n  ...`,
  );
  const size = '  core\n  Package size limit has exceeded by 163 B\n  Size: 363 B\n\n  util\n  Size: 113 B';
  const output = [
    ...failed,
    end,
    'Warning: Task "unit" failed. Used --force, continuing.\n',
    `Running "size" task\n\n${size}\n\n  Try to reduce size`,
    end,
    'Warning: Task "size" failed. Used --force, continuing.\n',
    'Running "verdict" task\nFatal error: 2 of 2 tasks failed',
  ].join('\n');

  expect(excerpt(output)).toContain('  core\n  Package size limit has exceeded by 163 B');
});

test('where a command is documented is left out above its end', () => {
  const visit = 'info Visit https://pm.example/run for documentation about this command.';
  const end = 'error Command failed with exit code 1.';

  expect(excerpt(`no lock for the cart\n${visit}\n${end}\n${visit}\n`)).toBe(`no lock for the cart\n${end}`);
});

describe('where a runner of scripts names the last one that has failed', () => {
  const script = (name: string, ...lines: string[]) =>
    ['', `> shop@1.0.0 ${name}`, `> ${name}-tool`, '', ...lines].join('\n');
  const filler = Array.from({ length: 30 }, (_, i) => `read ${'a'.repeat(i % 5)}${i}`);
  const unlisted = script('unused', 'Unlisted dependencies (1)', 'csv/sync  src/print.ts:1:27');
  const sizes = script('size', '  everything', '  Size limit: 1.6 kB', '  Size:       1.53 kB');
  const linted = script('css', 'a.css', '  14:3  ✖  Unknown property "font-wieght"  property-no-unknown');
  const end = 'ERROR: "unused" exited with 1.';

  test('its lines say why, and those of the scripts after it do not', () => {
    const shown = excerpt(`${filler.join('\n')}\n${unlisted}\n${sizes}\n${end}\n`);

    expect(shown).toContain('Unlisted dependencies (1)\ncsv/sync  src/print.ts:1:27');
    expect(shown).not.toContain('Size limit');
  });

  test('a script that has found nothing wrong is left out', () => {
    const checked = script('md', 'Linting: 157 file(s)', 'Summary: 0 error(s)');
    const shown = excerpt(`${linted}\n${checked}\n${unlisted}\n${end}\n`);

    expect(shown).toContain('property-no-unknown');
    expect(shown).toContain('Unlisted dependencies (1)');
    expect(shown).not.toContain('Linting');
  });

  describe('what a script before it warns of', () => {
    const warned = script(
      'docs',
      ...filler,
      'WARN the cache is cold',
      ...filler,
      'docs/boats.md',
      '14:34-14:64 warning The name of the boat is too long  name-length  lint',
      '',
      ...filler,
      '⚠ 1 warning',
    );
    const output = (runner: string) =>
      `${script('check').replace('check-tool', runner)}\n${linted}\n${warned}\n${unused}\n${end}\n`;
    const unused = script(
      'unused',
      ...filler,
      'b.css',
      '  3:3  ✖  Unknown property "colr"  property-no-unknown',
    );

    test.each(['run-s -c css docs unused', 'npm-run-all --continue-on-error css docs unused'])(
      'is shown below its file where %s goes on after each',
      (runner) => {
        const shown = excerpt(output(runner));

        expect(shown).toContain('docs/boats.md\n14:34-14:64 warning The name of the boat');
        expect(shown).not.toContain('the cache is cold');
      },
    );
  });

  test('a script that is not named has failed too if an error is in its lines', () => {
    expect(excerpt(`${linted}\n${unlisted}\n${script('last', 'Error: boom')}\n${end}\n`)).toContain('boom');
  });
});

test('where a test of Perl has died, what passed before does not excuse why', () => {
  const died = [
    'journal entry has version 3 at /p/lib/Journal.pm line 38, <$fh> line 5.',
    '\tJournal::decode("x") called at t/journal.t line 20',
    '# Tests were run but no plan was declared and done_testing() was not seen.',
    '# Looks like your test exited with 255 just after 6.',
  ].join('\n');
  const passed = Array.from({ length: 30 }, (_, i) => `ok ${i} - entry ${i}`).join('\n');

  expect(excerpt(`${passed}\n${died}\nt/journal.t .....\n${passed}\nResult: FAIL\n`)).toContain(
    'journal entry has version 3 at /p/lib/Journal.pm line 38, <$fh> line 5.\n\tJournal::decode',
  );
});

describe('errors of a server that was started for tests', () => {
  const log = (level: string, text: string) => `rides-1   | 2026-11-28T00:56:54.215Z ${level} ${text}`;
  const thrown = [
    log('error', 'unhandled error in POST /rides'),
    'rides-1   | TypeError: no bike',
    'rides-1   |     at open (/p/ledger.js:8:53)',
  ].join('\n');
  const failed = 'FAILED  start a ride (checks/rides.sh:3)\n        expected: 201\n        actual:   500';
  const passed = Array.from({ length: 60 }, (_, i) => `ok      ride ${i}`).join('\n');

  test('are shown above the failed test that they are right above, whatever passes later', () => {
    expect(excerpt(`${passed}\n${thrown}\n${failed}\n${passed}\n`)).toContain('ledger.js:8:53');
  });

  test('are shown if they belong to the step before the tests', () => {
    const unhealthy = 'ERROR: service billing is not healthy after 3 s';
    expect(excerpt(`${unhealthy}\n== checks/docks.sh\n${passed}\n${failed}\n`)).toContain(unhealthy);
  });
});
