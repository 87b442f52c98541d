import { describe, expect, test } from 'vitest';
import { commandGate } from '../../../src/config/command-gate.ts';
import { commandChange } from '../../../src/verification/command-change.ts';
import type { RecordedFiles } from '../../../src/verification/recorded-files.ts';
import { judgeRunnerFiles, judgeScripts } from '../../../src/verification/recorded-scripts.ts';

const ROOT = '/project';

describe('a command', () => {
  test.each([
    ['vitest run', 'vitest  run ', 'same'],
    ['vitest run', 'vitest run || true', 'weaker'],
    ['vitest run', 'vitest run; exit 0', 'weaker'],
    ['vitest run', 'vitest run | cat', 'weaker'],
    ['vitest run', 'vitest run &', 'weaker'],
    ['vitest run', '! vitest run', 'weaker'],
    ['vitest run', 'exit 0 && vitest run', 'weaker'],
    ['vitest run', 'true || vitest run', 'weaker'],
    ['vitest run', 'if false; then vitest run; fi', 'weaker'],
    ['vitest run', 'echo ok', 'weaker'],
    ['vitest run', ':', 'weaker'],
    ['vitest run', undefined, 'weaker'],
    ['vitest run', 'vitest run --passWithNoTests', 'weaker'],
    ['vitest run', 'tsc && vitest run', 'more'],
    ['vitest run', 'vitest run && eslint .', 'more'],
    ['vitest run', 'vitest run tests/one.test.ts', 'weaker'],
    ['vitest run', 'vitest run-nothing', 'weaker'],
    ['vitest run', 'node fake.js', 'other'],
    ['a || true', 'a || true && b', 'more'],
  ] as const)('%j that becomes %j is %s', (before, after, expected) => {
    expect(commandChange(before, after)).toBe(expected);
  });
});

const scripts = (all: object) => JSON.stringify({ name: 'p', scripts: all }, null, 2);

function judge(command: string, before: RecordedFiles, after: RecordedFiles, cwd = '') {
  const gate = commandGate(
    { command, ...(cwd && { cwd }) },
    { root: ROOT, directory: ROOT, workingDirectory: ROOT, timeoutSeconds: 9 },
  );
  const files = { root: ROOT, before, now: (path: string) => after[path] ?? null, copy: () => '/state/copy' };
  const judged = judgeScripts(gate, files);
  return {
    command: judged.gate.command,
    env: judged.gate.env,
    findings: [...judged.findings, ...judgeRunnerFiles([gate], files)].map(
      ({ rule, severity, path, line, message }) => `${rule} ${severity} ${path}:${line} ${message}`,
    ),
  };
}

const run = (name: string, text: string, directory = ROOT) => {
  const bin = [directory, ...(directory === ROOT ? [] : [ROOT])]
    .map((at) => `${at}/node_modules/.bin`)
    .join(':');
  return `PATH=${bin}:"$PATH" npm_lifecycle_event=${name} sh -c '${text}'`;
};
const NPM = { 'package.json': scripts({ pretest: 'tsc', test: 'vitest run', lint: 'eslint .' }) };
const npm = (changes: object) => ({
  'package.json': scripts({ pretest: 'tsc', test: 'vitest run', lint: 'eslint .', ...changes }),
});

describe('a gate runs the recorded scripts in place of those that changed:', () => {
  const whole = `(cd ${ROOT} && ${run('pretest', 'tsc').replace("'tsc'", 'tsc')} && ${run('test', 'vitest run')})`;
  test.each<[string, object, string, string]>([
    [
      'npm test',
      { test: 'vitest run || true' },
      whole,
      'gate-changed high package.json:5 script `test` is weaker than when the session began: `vitest run || true`; the gate ran as it was',
    ],
    [
      'npm run test',
      { test: 'node x' },
      whole,
      'script-changed medium package.json:5 script `test` changed since the session began; the gate ran as it was',
    ],
    [
      'npm t -s',
      { test: undefined },
      whole,
      'gate-changed high package.json:undefined script `test` is gone; the gate ran as it was',
    ],
    [
      'npm test',
      { pretest: 'true' },
      whole,
      'gate-changed high package.json:4 script `pretest` is weaker than when the session began: `true`; the gate ran as it was',
    ],
    [
      'npm test',
      { test: 'eslint . && vitest run' },
      whole,
      'script-changed low package.json:5 script `test` does more than when the session began; the gate ran as it was',
    ],
    [
      'npm test',
      { posttest: 'echo' },
      whole,
      'script-changed low package.json:7 script `posttest` does more than when the session began; the gate ran as it was',
    ],
    [
      'yarn test',
      { test: 'true' },
      whole,
      'gate-changed high package.json:5 script `test` is weaker than when the session began: `true`; the gate ran as it was',
    ],
    [
      'pnpm run test',
      { test: 'true' },
      whole,
      'gate-changed high package.json:5 script `test` is weaker than when the session began: `true`; the gate ran as it was',
    ],
    [
      'CI=1 npm test',
      { test: 'true' },
      whole.replace('(', '(export CI=1 && '),
      'gate-changed high package.json:5 script `test` is weaker than when the session began: `true`; the gate ran as it was',
    ],
    [
      'npm run lint && npm test 2>&1',
      { test: 'true' },
      `npm run lint && ${whole} 2>&1`,
      'gate-changed high package.json:5 script `test` is weaker than when the session began: `true`; the gate ran as it was',
    ],
  ])('%s after %j', (command, changes, expected, finding) => {
    expect(judge(command, NPM, npm(changes))).toMatchObject({ command: expected, findings: [finding] });
  });

  test('arguments after -- are passed to the script alone', () => {
    const { command } = judge('npm test -- --run "a b"', NPM, npm({ test: 'true' }));
    expect(command).toContain('sh -c \'vitest run --run "a b"\'');
  });

  test('a script of a script is replaced in it', () => {
    const before = {
      'package.json': scripts({ test: 'npm run unit && npm run e2e', unit: 'vitest run', e2e: 'e2e' }),
    };
    const after = {
      'package.json': scripts({ test: 'npm run unit && npm run e2e', unit: 'true', e2e: 'e2e' }),
    };
    const { command, findings } = judge('npm test', before, after);
    expect(command).toContain(`(cd ${ROOT} && `);
    expect(command).toContain('vitest run');
    expect(command).toContain('&& npm run e2e');
    expect(findings).toHaveLength(1);
  });

  test('the package is the nearest one, also after cd and with --prefix', () => {
    const before = { ...NPM, 'web/package.json': scripts({ test: 'jest' }) };
    const after = { ...NPM, 'web/package.json': scripts({ test: 'true' }) };
    const expected = `(cd ${ROOT}/web && ${run('test', 'jest', `${ROOT}/web`).replace("'jest'", 'jest')})`;
    expect(judge('npm test', before, after, 'web').command).toBe(expected);
    expect(judge('npm --prefix web test', before, after).command).toBe(expected);
    expect(judge('cd web && npm test', before, after).command).toBe(`cd web && ${expected}`);
    expect(judge('npm test', before, after).command).toBe('npm test');
  });

  test('a changed setting of npm is undone by a variable', () => {
    const before = { ...NPM, '.npmrc': 'node-options=--max-old-space-size=99' };
    const after = { ...NPM, '.npmrc': 'script-shell=/bin/true\nnode-options=--require ./x.js' };
    expect(judge('npm test', before, after)).toEqual({
      command: 'npm test',
      env: { npm_config_script_shell: '/bin/sh', npm_config_node_options: '--max-old-space-size=99' },
      findings: [
        'gate-changed high .npmrc:1 `script-shell` in `.npmrc` changed since the session began',
        'gate-changed high .npmrc:2 `node-options` in `.npmrc` changed since the session began',
      ],
    });
  });
});

describe('where a script cannot be replaced exactly, the finding alone remains:', () => {
  test.each([
    ['npm test --workspace web'],
    ['pnpm --filter web test'],
    ['sh -c "$(npm test)"'],
    ['(npm test)'],
    ['npm test # all'],
  ])('%s', (command) => {
    const judged = judge(command, NPM, npm({ test: 'true' }));
    expect(judged.command).toBe(command);
    expect(judged.findings).toEqual([
      'gate-changed high package.json:5 script `test` is weaker than when the session began: `true`; the gate ran as it is',
    ]);
  });

  test.each([[{ name: 'a script that reads variables of npm' }, 'echo $npm_package_version && vitest run']])(
    '$name',
    (_, test) => {
      const judged = judge(
        'npm test',
        { 'package.json': scripts({ test }) },
        { 'package.json': scripts({ test: 'x' }) },
      );
      expect(judged.command).toBe('npm test');
      expect(judged.findings).toHaveLength(1);
    },
  );
});

const MAKE = 'CC = gcc\n.PHONY: test\ntest: build\n\tpytest -q\nbuild:\n\t$(CC) x.c\ndeploy:\n\tscp x y\n';
const JUST = 'set shell := ["sh", "-c"]\ntest filter="": build\n  pytest {{filter}}\nbuild:\n  make x\n';

describe('a gate runs a copy of the recorded Makefile or justfile, if what it needs changed:', () => {
  test.each<[string, string, string, string, string, string]>([
    [
      'make test',
      'Makefile',
      MAKE,
      MAKE.replace('\tpytest', '\t-pytest'),
      'make -f /state/copy test',
      'gate-changed high Makefile:3 `test` of `Makefile` changed since the session began; the gate ran as it was',
    ],
    [
      'make -s test',
      'Makefile',
      MAKE,
      MAKE.replace('pytest -q', 'pytest -q || true'),
      'make -f /state/copy -s test',
      'gate-changed high',
    ],
    [
      'make test',
      'Makefile',
      MAKE,
      MAKE.replace('\t$(CC) x.c', '\ttrue'),
      'make -f /state/copy test',
      'high Makefile:5 `build` of',
    ],
    [
      'make test',
      'Makefile',
      MAKE,
      `.IGNORE:\n${MAKE}`,
      'make -f /state/copy test',
      'gate-changed high Makefile:1 `Makefile` changed',
    ],
    [
      'make test',
      'Makefile',
      MAKE,
      MAKE.replace('gcc', 'true'),
      'make -f /state/copy test',
      'script-changed medium Makefile:1',
    ],
    [
      'make',
      'Makefile',
      MAKE,
      MAKE.replace('test: build\n\tpytest -q', 'test: build'),
      'make -f /state/copy',
      'gate-changed high',
    ],
    [
      'just test',
      'justfile',
      JUST,
      JUST.replace('pytest', 'echo'),
      'just --justfile /state/copy --working-directory /project test',
      'high justfile:2',
    ],
  ])('%s, %s', (command, file, before, after, expected, finding) => {
    const judged = judge(command, { [file]: before }, { [file]: after });
    expect(judged.command).toBe(expected);
    expect(judged.findings).toEqual([expect.stringContaining(finding)]);
  });

  test('also if a GNUmakefile precedes it now, or it is gone', () => {
    const shadowed = judge(
      'make test',
      { Makefile: MAKE, GNUmakefile: null },
      { Makefile: MAKE, GNUmakefile: 'test:\n\ttrue\n' },
    );
    expect(shadowed.command).toBe('make -f /state/copy test');
    expect(shadowed.findings).toEqual([expect.stringContaining('high GNUmakefile:')]);
    const gone = judge('make test', { Makefile: MAKE }, {});
    expect(gone.findings).toEqual([expect.stringContaining('high Makefile:1 `Makefile` is gone')]);
  });

  test('recursive calls use the copy too, unless they are in other directories', () => {
    const recursive = 'test:\n\t$(MAKE) unit\nunit:\n\tpytest\n';
    const after = { Makefile: recursive.replace('pytest', 'true') };
    expect(judge('make test', { Makefile: recursive }, after).command).toBe(
      "make -f /state/copy 'MAKE=make -f /state/copy' test",
    );
    const elsewhere = recursive.replace('unit\n', '-C sub\n\t$(MAKE) unit\n');
    expect(
      judge('make test', { Makefile: elsewhere }, { Makefile: elsewhere.replace('pytest', 'true') }).command,
    ).toBe('make test');
  });
});

describe('nothing is reported', () => {
  test.each<[string, string, RecordedFiles, RecordedFiles]>([
    ['for other scripts', 'npm test', NPM, npm({ lint: 'true', dev: 'vite' })],
    [
      'for other parts of a package.json',
      'npm test',
      NPM,
      { 'package.json': NPM['package.json'].replace('"p"', '"q"') },
    ],
    [
      'for other targets, comments and blanks',
      'make test',
      { Makefile: MAKE },
      { Makefile: `# all\n${MAKE.replace('scp', 'rsync')}\n\n` },
    ],
    [
      'for settings of npm that do not matter',
      'npm test',
      { ...NPM, '.npmrc': '' },
      { ...NPM, '.npmrc': 'fund=false' },
    ],
    [
      'for files of programs that no gate runs',
      'npm test',
      { ...NPM, 'Taskfile.yml': 'a' },
      { ...NPM, 'Taskfile.yml': 'b' },
    ],
    ['for commands that are no scripts', 'npm ci && bun test', NPM, npm({ test: 'true', ci: 'true' })],
  ])('%s', (_, command, before, after) => {
    expect(judge(command, before, after)).toMatchObject({ command, findings: [] });
  });
});

test('other files that gates run are reported', () => {
  const before = {
    'ci/test.sh': 'pytest -q\n',
    'Taskfile.yml': 'a',
    'composer.json': scripts({ test: 'phpunit' }),
  };
  expect(judge('ci/test.sh', before, { ...before, 'ci/test.sh': 'pytest -q || true\n' }).findings).toEqual([
    'gate-changed high ci/test.sh:undefined `ci/test.sh` changed since the session began',
  ]);
  expect(judge('ci/test.sh', before, { ...before, 'ci/test.sh': '# all\npytest -q -x\n' }).findings).toEqual([
    expect.stringContaining('script-changed medium ci/test.sh'),
  ]);
  expect(judge('task test', before, { ...before, 'Taskfile.yml': 'b' }).findings).toEqual([
    expect.stringContaining('script-changed medium Taskfile.yml'),
  ]);
  expect(
    judge('composer test', before, { ...before, 'composer.json': scripts({ test: 'true' }) }).findings,
  ).toEqual([expect.stringContaining('composer.json')]);
});
