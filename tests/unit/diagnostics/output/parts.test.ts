import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText, joined } from '../../../../src/diagnostics/excerpt.ts';
import { failedParts } from '../../../../src/diagnostics/output/parts.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

/** Says why it failed in lines that beside a sure error would be taken for noise. */
const CHECK =
  'env: 14 variables, all documented\nroute /legal -> no component (routes.json line 14)\nroute /about -> the same as /about-us (routes.json line 3)';
const END = 'npm error Lifecycle script `check` failed with error:';
const TESTS = [
  ' FAIL  src/cart.test.ts > cart > adds up',
  'AssertionError: expected 3 to be 4',
  ...Array.from({ length: 40 }, (_, i) => ` ✓ src/part${i}.test.ts (${i} tests) ${i}ms`),
  ...Array.from({ length: 60 }, (_, i) => `compiled the part ${i} of the pages into dist/${i}/index.html`),
].join('\n');
const command = (name: string) => `\n> web@1.0.0 ${name}\n> node ${name}.js\n\n`;
const behind = (prefix: string, output: string) => output.replace(/^/gm, prefix);

describe.each([
  ['commands of a script', `${command('check')}${CHECK}\n${END}\n${command('test')}${TESTS}\n`, ''],
  ['tasks', `${behind('web:check: ', `${CHECK}\n${END}`)}\n${behind('web:test: ', TESTS)}\n`, 'web:check: '],
])('of several %s', (_, output, prefix) => {
  test('each that failed has its own excerpt', () => {
    const shown = excerpt(output);

    for (const line of CHECK.split('\n')) expect(shown).toContain(`${prefix}${line}`);
    expect(shown).toContain('AssertionError: expected 3 to be 4');
    expect(shown).not.toContain('compiled the part 30 of');
  });
});

test('of tasks by turns, each has its lines in a row', () => {
  const web = ['Error: no name', '    at f (src/a.ts:3:5)'];
  const api = ['Error: no port', '    at g (src/b.ts:7:1)'];
  const byTurns = web.flatMap((line, i) => [`[web] ${line}`, `[api] ${api[i]}`]).join('\n');

  expect(excerpt(byTurns)).toBe(
    [...web.map((line) => `[web] ${line}`), ...api.map((line) => `[api] ${line}`)].join('\n'),
  );
});

test('a task that passed is not shown beside those that failed', () => {
  const shown = excerpt(
    '[lint] src/a.ts(3,5): error TS2322: no\n[unit] ✓ adds up\n[test] Error: no port\n[unit] 1 passed\n',
  );

  expect(shown).toBe('[lint] src/a.ts(3,5): error TS2322: no\n[test] Error: no port');
});

test('where a task may have failed, all tasks have one excerpt', () => {
  const shown = excerpt(
    '[lint] src/a.ts(3,5): error TS2322: no\n[knip] src/orphan.ts\n[test] Error: no port\n',
  );

  expect(shown).toContain('[knip] src/orphan.ts');
});

test('where a task says that it failed, the errors that others log are not shown', () => {
  const shown = excerpt(
    '[lint] src/a.ts(3,5): error TS2322: no\n[lint] command finished with error: exit status 1\n[unit] [ERROR] no port, as expected\n[unit] 12 done\n',
  );

  expect(shown).toContain('[lint] src/a.ts(3,5): error TS2322: no');
  expect(shown).not.toContain('as expected');
});

test('a step that failed is shown with its warnings if it has no error', () => {
  const warned = 'src/b.py:7:1: W0718: Catching too general exception (broad-exception-caught)';
  const shown = excerpt(
    `==> lint\n${warned}\n==> lint: FAILED\n==> types\nsrc/a.ts(3,5): error TS2322: no\n==> types: FAILED\n`,
  );

  expect(shown).toContain(warned);
});

test('of tasks of pnpm, those are shown that end with a line that says so', () => {
  const passed = Array.from({ length: 20 }, (_, i) => `packages/web lint: page ${i} of the site\n`).join('');
  const shown = excerpt(
    `packages/cart test: Error: no port\npackages/cart test: Failed\n${passed}packages/web lint: [ERROR] a page is slow, as expected\npackages/web lint: Done\n ERROR  @shop/cart@1.0.0 test: \`node --test\`\nExit status 1\n`,
  );

  expect(shown).toBe('packages/cart test: Error: no port\npackages/cart test: Failed');
});

test('of packages that ran one after the other, the one that pnpm names is shown, whatever the end of a command overtakes', () => {
  const failed =
    '> @shop/cart@0.1.0 test /p/packages/cart\n> node --test\n\nError: no port\n    at f (src/a.ts:3:5)';
  const passed =
    '> @shop/web@0.1.0 test /p/packages/web\n> node --test\n\n ELIFECYCLE  Test failed. See above for more details.\nbanner closed\n1 passed';
  const named =
    '/p/packages/cart:\n\u2009ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\u2009 @shop/cart@0.1.0 test: `node --test`';
  const shown = excerpt(`> @shop/all@1.0.0 test /p\n> pnpm -r test\n\n${failed}\n${named}\n\n${passed}\n`);

  expect(shown).toContain('Error: no port');
  expect(shown).not.toContain('@shop/web');
});

test('what else is wrong is shown beside the package that pnpm names: it may be from the other stream of that', () => {
  const failed = '> @shop/cart@0.1.0 test /p/packages/cart\n> node --test\n\n1 failed';
  const passed = '> @shop/web@0.1.0 test /p/packages/web\n> node --test\n\n1 passed';
  const named = ' ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  @shop/cart@0.1.0 test: `node --test`';
  const shown = excerpt(
    `> @shop/all@1.0.0 test /p\n> pnpm -r test\n\n${failed}\n\n${passed}\nError: no port\n    at f (src/a.ts:3:5)\n${named}\n`,
  );

  expect(shown).toContain('Error: no port');
});

test('what the runner of tasks says of their end is below them, and what it says before them is left out', () => {
  const tasks = ['web', 'api'].flatMap((task) =>
    Array.from({ length: 9 }, (_, i) => `[${task}] src/${task}${i}.ts(1,2): error TS2322: no`),
  );
  const output = `> run-p types:*\n\n- web\n- api\n\n${tasks.join('\n')}\nERROR: "web" exited with 1.\n`;

  expect(excerpt(output)).toBe(`${tasks.join('\n')}\nERROR: "web" exited with 1.`);
});

test('an error that the runner of tasks has printed before them is shown', () => {
  const tasks = ['web', 'api'].map((task) => `[${task}] src/${task}.ts(1,2): error TS2322: no`);

  expect(excerpt(`Error: no task "docs" in tasks.json\n${tasks.join('\n')}\n`)).toBe(
    `Error: no task "docs" in tasks.json\n${tasks.join('\n')}`,
  );
});

test('a task that its runner names as failed is shown with all that it prints, whatever its form', () => {
  const unused = ['dependencies', 'binaries', 'exports'].flatMap((sort) => [
    `Unused ${sort} (3)`,
    ...['one', 'two', 'ten'].map((name) => `${name}-${sort}  src/${name}.js:3:24`),
  ]);
  const lines = [
    ...unused.map((text) => `[lint:unused] ${text}`),
    '[lint:format] Checking formatting...',
    '[lint:format] [warn] src/a.js',
    '[lint:format] [warn] Code style issues found in the above file.',
    ...Array.from({ length: 9 }, (_, i) => `[test] not ok ${i} - adds`),
  ];

  expect(excerpt(`${lines.join('\n')}\nERROR: "lint:unused" exited with 1.\n`)).toContain(
    unused.map((text) => `[lint:unused] ${text}`).join('\n'),
  );
});

test('of what the runner of tasks prints, the list of those that failed is shown', () => {
  const tasks = ['web', 'api'].flatMap((task) =>
    Array.from({ length: 20 }, (_, i) => `${task}:test: src/${task}${i}.ts(1,2): error TS${i}: no`),
  );
  const shown = excerpt(
    ` WARNING  --no-cache is deprecated\n${tasks.join('\n')}\nTasks:  0 successful, 2 total\nFailed:  web#test, api#test\n\n ERROR  run failed: command  exited (1)\n`,
  );

  expect(shown).toMatch(/^web:test: [\s\S]*\nFailed: {2}web#test, api#test$/);
});

test('one task and what its runner prints have one excerpt, without the prefix', () => {
  const task = Array.from({ length: 20 }, (_, i) => `[web] Error: no port ${'abcdefghijklmnopqrst'[i]}`);

  expect(excerpt(`${task.join('\n')}\nERROR: "web" exited with 1.\n`)).not.toContain('[web]');
});

test('of two tasks that print blank lines in turn, not all are kept', () => {
  const { outline } = condensed('web:test: \napi:test: \n'.repeat(20_000));

  expect(outline.all).toBeUndefined();
});

test('more parts than fit into one excerpt are not read by themselves', () => {
  const output = Array.from({ length: 40 }, (_, i) => `[task${i}] src/a${i}.ts(1,2): error TS1: no\n`).join(
    '',
  );

  expect(failedParts(condensed(output))).toEqual([]);
});

test('a command beside tasks that print in turn is no part', () => {
  const tasks = ['web', 'api', 'cli'].flatMap((task) => [
    `[${task}] src/a.ts(1,2): error TS1: no`,
    `[${task}] 1 error`,
  ]);
  const output = `${tasks.join('\n')}\n> web@1.0.0 test\n> vitest run\n\nError: no port\n> web@1.0.0 types\n> tsc\n\nError: no name\n`;

  expect(failedParts(condensed(output))).toEqual([]);
});

test('the lines of a part have neither its prefix nor a time twice', () => {
  const times = ['web', 'api'].map(
    (task) => `2026-11-22T16:41:40.123Z [${task}] src/a.ts(1,2): error TS1: no`,
  );
  const plain = ['web', 'api'].map((task) => `[${task}] src/b.ts(3,4): error TS2: no`);
  const shown = excerpt([...times, ...plain].join('\n'));

  expect(shown.match(/\[web\]/g)).toHaveLength(2);
});

describe('the steps of a script that have titles', () => {
  const TYPES = 'src/a.ts(3,5): error TS2322: no';
  const WARNED = 'src/b.py:7:1: W0718: Catching too general exception (broad-exception-caught)';

  test.each([
    ['in a line of their own', `==> lint\n${WARNED}\n==> types\n${TYPES}\n==> types: FAILED\n`, '==> types'],
    [
      'of a CI service',
      `::group::lint\n${WARNED}\n::endgroup::\n::group::types\n${TYPES}\n!!! failed: types\n`,
      '::group::types',
    ],
    [
      'by the first word of which the script names them',
      `### lint of it\n${WARNED}\n### types of it\n${TYPES}\nFAILED: types\n`,
      '### types of it',
    ],
    [
      'with a number and a ruler, and a summary at the end',
      `=== [1] lint ====\n${WARNED}\n--- lint: ok (1.2s)\n\n=== [2] types ====\n${TYPES}\n--- types: failed with exit status 1 (2.3s)\n\n=== Summary ======\nlint    ok  1.2\ntypes   FAILED (1)  2.3\n`,
      '=== [2] types ====',
    ],
    [
      'in an environment of tox',
      `lint: commands[0]> pylint src\n${WARNED}\ntypes: commands[0]> tsc\n${TYPES}\n  lint: OK (1.2s)\n  types: FAIL code 1 (2.3s)\n`,
      'types: commands[0]> tsc',
    ],
    [
      'with the result before the name, and a last one that has passed',
      `==> types\n${TYPES}\n    FAILED: types\n==> lint\n${WARNED}\n    ok: lint\n1 check(s) failed: types\n`,
      '==> types',
    ],
    [
      'in a group of a workflow',
      `##[group]lint\n${WARNED}\n##[endgroup]\n##[group]types\n${TYPES}\n##[endgroup]\nfailed steps: types\n`,
      '##[group]types',
    ],
    [
      'with the command behind them, and an exit code at the end',
      `▶ lint: pylint src\n${WARNED}\n✔ lint exit=0\n▶ types: tsc -p .\n${TYPES}\n✖ types exit=2\n`,
      '▶ types: tsc -p .',
    ],
    [
      'with the command in a column, and a table at the end',
      `▸ src/lint     pylint src\n${WARNED}\n▸ src/types    tsc -p .\n${TYPES}\n\nsrc/lint     fine\nsrc/types    broken\n`,
      '▸ src/types    tsc -p .',
    ],
    [
      'with a warning for the workflow that says so',
      `::group::lint it\n${WARNED}\n::endgroup::\n::group::types of it\n${TYPES}\n::warning::types of it exited with 2\n::endgroup::\n`,
      '::group::types of it',
    ],
    [
      'that are files, with the results behind their names, and below them a count',
      `== build/types\n${TYPES}\nbuild/types exited with 2\n== build/lint\n${WARNED}\nlint: PASS\n1 of 2 failed\n`,
      '== build/types',
    ],
  ])('are shown if the script says that they failed: %s', (_, output, title) => {
    const shown = excerpt(output);

    expect(shown).toContain(`${title}\n${TYPES}`);
    expect(shown).not.toMatch(/W0718|fine/);
  });

  test('are followed by what the script says at its end, of which none is the last one', () => {
    const shown = excerpt(
      `==> types\n${TYPES}\n    FAILED: types\n==> lint\n${WARNED}\n    ok: lint\nmake: *** [Makefile:5: check] Error 1\n`,
    );

    expect(shown).toBe(`==> types\n${TYPES}\n    FAILED: types\nmake: *** [Makefile:5: check] Error 1`);
  });

  test('are groups with an error for the workflow, if no other one has an error', () => {
    const groups = `::group::tools\nsqlite 3.40.1\n::endgroup::\n::group::lint\n${WARNED}\n::error::lint\n::endgroup::\n::group::types\n${TYPES}\n::error::types\n::endgroup::\n`;

    expect(excerpt(groups)).toBe(
      `::group::lint\n${WARNED}\n::error::lint\n::group::types\n${TYPES}\n::error::types`,
    );
    expect(failedParts(condensed(`${groups}::group::server\nError: no port\n::endgroup::\n`))).toEqual([]);
  });

  test('are followed by the log of a server with an error, though no script says that it failed', () => {
    const shown = excerpt(
      `::group::types\n${TYPES}\n::endgroup::\n::error::types failed\n::group::Server log\nError: no port\n::endgroup::\n::group::lint\n${WARNED}\n::endgroup::\n`,
    );

    expect(shown).toContain('::group::Server log\nError: no port');
    expect(shown).not.toContain('W0718');
  });

  test('are shown without what is printed between groups', () => {
    const shown = excerpt(
      `::group::types\n${TYPES}\n::endgroup::\nthe budget of the page is 12 kB\n::group::test\nError: no port\n::endgroup::\nfailed steps: types test\n`,
    );

    expect(shown).toContain('Error: no port');
    expect(shown).not.toContain('budget');
  });

  test('are the hooks of pre-commit', () => {
    const shown = excerpt(
      `check json...........................Passed\nblack...........................Failed\n- hook id: black\n- files were modified by this hook\n\nreformatted src/a.py\n\nmypy (strict)...........................Failed\n- hook id: mypy\n- exit code: 1\n\nsrc/a.py:35: error: Invalid index type\npylint...........................Passed\n- hook id: pylint\n\n${WARNED}\n`,
    );

    expect(shown).toContain('- files were modified by this hook\n\nreformatted src/a.py');
    expect(shown).toContain('src/a.py:35: error: Invalid index type');
    for (const passed of ['check json', 'W0718']) expect(shown).not.toContain(passed);
  });

  test('are shown without the commands of an environment of tox that have passed', () => {
    const command = (n: number) => `lint run-test: commands[${n}] | check ${n}`;
    const shown = excerpt(
      `${command(0)}\nAll done!\n${command(1)}\n${TYPES}\nERROR: InvocationError for command /p/check (exited with code 1)\n${command(2)}\nrated at 10.00/10\ndocs run-test: commands[0] | sphinx\ndone\nERROR:   lint: commands failed\n  docs: commands succeeded\n`,
    );

    expect(shown).toContain(`${command(1)}\n${TYPES}`);
    for (const passed of ['All done', 'rated at', 'sphinx']) expect(shown).not.toContain(passed);
  });

  test('leave the targets of make to be read by themselves if none of them is sure to have failed', () => {
    const titled = '===> Analyzing applications\n===> Compiling shop\n';
    const shown = excerpt(
      `${titled}${TYPES}\nmake: *** [Makefile:3: types] Error 1\n${titled}Error: no port\nmake: *** [Makefile:9: test] Error 1\n`,
    );

    expect(shown).toContain(`${TYPES}\nmake: *** [Makefile:3: types] Error 1`);
    expect(shown).toContain('Error: no port\nmake: *** [Makefile:9: test] Error 1');
  });

  test('are shown with all that a step says why it failed, whatever its form', () => {
    const shown = excerpt(
      `== test\nError: no port\n== test failed\n\n== docs:check\n== docs:check failed: docs/models.md does not describe Loan\n`,
    );

    expect(shown).toBe(
      '== test\nError: no port\n== test failed\n== docs:check\n== docs:check failed: docs/models.md does not describe Loan',
    );
  });

  test('have one excerpt with the others, if the script says nothing of them and one may have failed', () => {
    const output = `== check sshd\nconf/sshd_config line 2: unsupported option "maybe".\n== check types\n${TYPES}\n`;

    expect(failedParts(condensed(output))).toEqual([]);
    expect(excerpt(output)).toContain('unsupported option');
  });

  test('are shown with what the other stream has brought before all of them', () => {
    const shown = excerpt(
      ['Error: no port', '==> lint', ' ✓ src/a.ts', '==> test', '1 failed', '==> test: FAILED'].join('\n'),
    );

    expect(shown).toContain('Error: no port');
  });

  test('are no sections of a diff, no tests of Go or Rust, and no suites of Node.js', () => {
    const diff = `--- a/src/cart.ts\n+++ b/src/cart.ts\n${TYPES}\n--- a/src/tax.ts\n+++ b/src/tax.ts\n${TYPES}\n`;
    const tests = `=== RUN TestAdds\n    cart_test.go:7: 3 != 4\n=== RUN TestCosts\n--- FAIL: TestAdds\n`;
    const outputs = `---- cart::adds stdout ----\nerror: 3 != 4\n---- cart::costs stdout ----\nerror: 5 != 6\n`;
    const suites = `▶ cart\n  ✖ adds (1.2ms)\n✖ cart (3.4ms)\n▶ taxes\n  ✖ rounds (1.2ms)\n✖ taxes (3.4ms)\n`;

    expect([diff, tests, outputs, suites].flatMap((output) => failedParts(condensed(output)))).toEqual([]);
  });
});

test('the tasks that Nx lists as failed have their own excerpts, below their names', () => {
  const task = (name: string, ...lines: readonly string[]) =>
    `> nx run @shop/${name}\n\n${lines.join('\n')}\n\n`;
  const shown = excerpt(
    `> nx run-many -t lint test\n\n${task('money:test', '> vitest run', ' FAIL  test/money.test.ts > money > adds', 'AssertionError: expected 3 to be 4', ' ❯ test/money.test.ts:9:81', 'npm error code 1', 'npm error path /p/packages/money', 'npm error workspace @shop/money@1.0.0', 'npm error location /p/packages/money')}${task('geo:lint', '> eslint .', '/p/src/zones.ts', '  8:12  warning  Unexpected console statement  no-console')}${task('api:types', 'src/quote.ts(24,34): error TS2554: Expected 1 arguments, but got 2.')} NX   Running targets lint, test for 3 projects failed\n\nFailed tasks:\n\n- @shop/money:test\n- @shop/api:types\n`,
  );

  expect(shown).toBe(
    '> nx run @shop/money:test\n FAIL  test/money.test.ts > money > adds\nAssertionError: expected 3 to be 4\n ❯ test/money.test.ts:9:81\n> nx run @shop/api:types\nsrc/quote.ts(24,34): error TS2554: Expected 1 arguments, but got 2.',
  );
});

test('what a package has printed is shown below its name if another one has failed, too', () => {
  const check = (name: string, error: string) =>
    `\n> ${name} types\n> tsc\n\n${error}\nnpm error code 2\nnpm error path /p\nnpm error workspace ${name}\nnpm error location /p\n`;
  const errors = ['src/a.ts(1,1): error TS1: x', 'src/b.ts(1,1): error TS2: y'] as const;

  expect(excerpt(`${check('@shop/api@1.0.0', errors[0])}${check('@shop/web@1.0.0', errors[1])}`)).toBe(
    `> @shop/api@1.0.0 types\n${errors[0]}\n> @shop/web@1.0.0 types\n${errors[1]}`,
  );
  expect(excerpt(`${check('shop@1.0.0', errors[0])}${check('shop@1.0.0', errors[1])}`)).not.toContain(
    'shop@1.0.0 types',
  );
});

describe('of several tasks', () => {
  const ERROR = "src/report.ts(5,37): error TS2345: Argument of type 'string' is wrong.";
  const ended = (task: string) =>
    `${task}: npm error Lifecycle script failed with error:\n${task}: npm error code 2\n${task}: npm error path /p/apps/admin\n${task}: npm error workspace admin@1.0.0\n`;
  const task = (name: string, ...lines: readonly string[]) =>
    `${name}: > tsc\n${lines.map((line) => `${name}: ${line}\n`).join('')}${ended(name)}`;

  test('the errors that another one has, too, are counted', () => {
    const shown = excerpt(
      `${task('admin:build', ERROR, '  The expected type is another one.')}${task('admin:types', ERROR, '  The expected type is another one.', 'src/other.ts(1,1): error TS1: x')}`,
    );

    expect(shown).toBe(
      `admin:build: ${ERROR}\nadmin:build:   The expected type is another one.\nadmin:types: … 1 error as above …\nadmin:types: src/other.ts(1,1): error TS1: x`,
    );
  });

  test('an error in a file of another package has several paths, and is shown once', () => {
    const said = ': error TS2769: No overload matches this call.';
    const shown = excerpt(
      `${task('api:types', `../db/src/lots.ts(8,32)${said}`)}${task('db:types', `src/lots.ts(8,32)${said}`, 'src/lots.ts(9,1): error TS1: x')}${task('web:types', `../../packages/db/src/lots.ts(8,32)${said}`, 'src/a.ts(1,1): error TS1: x')}`,
    );

    expect(shown).toBe(
      `api:types: ../db/src/lots.ts(8,32)${said}\ndb:types: … 1 error as above …\ndb:types: src/lots.ts(9,1): error TS1: x\nweb:types: … 1 error as above …\nweb:types: src/a.ts(1,1): error TS1: x`,
    );
  });

  test('the same message about other files with one name is shown for each', () => {
    const said = "(1,8): error TS2307: Cannot find module 'x'.";
    const shown = excerpt(
      `${task('api:types', `../db/src/index.ts${said}`)}${task('web:types', `../ui/src/index.ts${said}`)}`,
    );

    expect(shown).toContain(`../ui/src/index.ts${said}`);
  });

  test('where their excerpts do not fit, the errors that another one has, too, are counted all the same', () => {
    const errors = (name: string) =>
      Array.from({ length: 40 }, (_, i) => `src/${name}${i}.ts(1,1): error TS${i}: ${name.repeat(120)}${i}`);
    const shown = excerpt(
      `${task('api:types', ERROR, ...errors('a'))}${task('web:types', ERROR, ...errors('b'))}`,
    );

    expect(shown).toContain('web:types: … 1 error as above …');
    expect(shown.split(ERROR)).toHaveLength(2);
  });

  test('one whose name is that of its package has no further line about that', () => {
    expect(
      excerpt(`${task('admin:build', ERROR)}${task('shop:build', 'src/a.ts(1,1): error TS1: x')}`),
    ).not.toContain('admin@1.0.0\nshop');
  });

  test('a blank line with the name of one is no line of the runner', () => {
    const run = `> run-p types lint\n\n[types] \n[lint ] \nERROR: "lint" exited with 1.\n[types] ${ERROR}\n[types] npm error code 1\n[lint ] /p/src/a.ts\n[lint ]   3:1  error  'x' is unused  no-unused-vars\n[lint ] npm error code 1\n`;

    expect(excerpt(run)).not.toMatch(/^\[\w+ *\]$/m);
  });
});

describe('a target that make could not make', () => {
  test('has all that was printed if what make says was read before', () => {
    const ends = 'make: *** [Makefile:7: format] Error 1\nmake: *** [Makefile:9: types] Error 1\n';

    expect(excerpt(`${ends}src/b.py:9: error: Returning Any from function [no-any-return]\n`)).toContain(
      'src/b.py:9: error',
    );
  });

  const WARNED = 'src/b.py:7:1: W0718: Catching too general exception (broad-exception-caught)';
  const FORMAT = 'would reformat src/reader.py';
  const TYPES = 'src/b.py:9: error: Returning Any from function [no-any-return]';
  const END = 'make: *** [Makefile:7: format] Error 1';
  const output = (make = 'make') =>
    `black --check src\n${FORMAT}\n${END}\npylint --recursive=y src\n${WARNED}\nmypy --strict src\n${TYPES}\n${make}: *** [Makefile:9: types] Error 1\n`;

  test('is shown with what its last command has printed, beside another one', () => {
    expect(excerpt(output())).toBe(
      `${FORMAT}\n${END}\nmypy --strict src\n${TYPES}\nmake: *** [Makefile:9: types] Error 1`,
    );
  });

  test('is shown with the failed tests above the next command, which another stream has brought too early', () => {
    const tests = `make -C tests run\n[ RUN      ] backs_off\n[  FAILED  ] backs_off\n[==========] 1 test(s) run.\n[  ERROR   ] --- 0x384 != 0x258\n[   LINE   ] --- tests/test_a.c:44: error: Failure!\ngcovr --root . --filter src/\n[  ERROR   ] --- Test failed with exception: Segmentation fault(11)\nmake: *** [Makefile:5: test] Error 1\n`;
    const shown = excerpt(`${tests}${output()}`);

    expect(shown).toContain('0x384 != 0x258\n[   LINE   ] --- tests/test_a.c:44');
    expect(shown).toContain('Segmentation fault(11)');
  });

  test('is shown with progress above it, which is no command', () => {
    const shown = excerpt(
      `sphinx -b html docs build\nreading sources... [100%] guide/floods\ndocs/index.rst:6: WARNING: no such document\nwriting output... [ 50%] guide/floods\ndocs/a.rst:3: WARNING: no such label\nbuild finished with problems, 2 warnings.\nmake: *** [Makefile:3: docs] Error 1\n${output()}`,
    );

    expect(shown).toContain('docs/index.rst:6: WARNING: no such document');
  });

  test('is shown with a place above it, which is no command', () => {
    const found = `openapi.yaml:36:11: error: no such scheme\nreferenced from openapi/paths.yaml:28:15 at get\n❌ Validation failed\n`;
    const shown = excerpt(
      `redocly lint -q\n${found}make: *** [Makefile:3: api] Error 1\ntsc -p .\n${'src/a.ts(3,5): error TS2322: no\n'}make: *** [Makefile:5: types] Error 1\n`,
    );

    expect(shown).toContain('openapi.yaml:36:11: error: no such scheme');
  });

  test('is shown with a value above it, which is no command either', () => {
    const tests = `pytest -q tests\nE       ValueError: not a weight\npath = PosixPath('/p/harvest-2023.csv')\nE       ImportFailed: cannot read\nmake: *** [Makefile:5: test] Error 1\n`;

    expect(excerpt(`${tests}${output()}`)).toContain('ValueError: not a weight');
  });

  test('is shown with all above it, where make has called itself, and the lines may be mixed', () => {
    expect(failedParts(condensed(output('make[1]')))).toEqual([]);
  });
});

describe('a command that rake has printed, and says that it failed', () => {
  const command = '/usr/bin/ruby3.1 -I/lib exe/rspec --pattern spec/**/*_spec.rb';
  const lint = 'lib/desk.rb:3:1: C: Style/Documentation: Missing documentation for class Desk.';
  const failure =
    "Failures:\n\n  1) Desk lends\n     Failure/Error: expect(fine).to eq 6\n     # ./spec/desk_spec.rb:9:in `block'";

  test('is shown without what passed before it', () => {
    const shown = excerpt(`${lint}\n${command}\n\n${failure}\n\n${command} failed\n`);

    expect(shown).not.toContain(lint);
    expect(shown).toContain('# ./spec/desk_spec.rb:9');
    expect(shown.endsWith(`${command} failed`)).toBe(true);
  });

  test.each([
    ['has nothing wrong in its output', `${lint}\n${command}\n\nready\n\n${command} failed\n`],
    ['was not printed before', `${lint}\n\n${failure}\n\n${command} failed\n`],
  ])('is shown with all else if it %s', (_, output) => {
    expect(excerpt(output)).toContain(lint);
  });
});

test('parts that do not fit together share the space: those that need less have all of theirs', () => {
  const many = Array.from(
    { length: 300 },
    (_, i) => `src/file${i}.ts(${i + 1},5): error TS2322: no ${'ab'.repeat(i % 9)}`,
  );
  const shown = excerpt(
    `==> types\n${many.join('\n')}\n==> types: FAILED\n==> test\nError: no port\n    at f (src/a.ts:3:5)\n==> test: FAILED\n`,
  );

  expect(shown).toContain('src/file0.ts(1,5)');
  expect(shown).toContain('==> test\nError: no port\n    at f (src/a.ts:3:5)');
  expect(shown.length).toBeLessThanOrEqual(5300);
});

test('what is left out at the end of a part and at the start of the next one has one mark', () => {
  const gap = { kind: 'note', text: '… 1,240 lines …' } as const;
  const more = { kind: 'note', text: '… 6 lines …' } as const;
  const line = { kind: 'plain', text: '1 failed' } as const;

  expect(joined([[gap, line, gap], [more, line], [line]]).map(({ text }) => text)).toEqual([
    '… 1,240 lines …',
    '1 failed',
    '… 1,246 lines …',
    '1 failed',
    '1 failed',
  ]);
});
