import { describe, expect, test } from 'vitest';
import { proposeGates } from '../../../../src/setup/propose-gates.ts';
import { packageJson, projectDirectory, proposedFor } from '../../../helpers/project-directory.ts';

type Row = [what: string, scripts: unknown, gates: string[]];

const PLACEHOLDER = 'echo "Error: no test specified" && exit 1';

describe('proposeGates takes from the scripts of package.json', () => {
  test.for<Row>([
    [
      'those with usual names, cheap ones first',
      {
        build: 'tsup',
        test: 'jest',
        typecheck: 'tsc',
        lint: 'eslint .',
        'format:check': 'prettier --check .',
      },
      [
        'format: npm run format:check',
        'lint: npm run lint',
        'typecheck: npm run typecheck',
        'test: npm test',
        'build: npm run build',
      ],
    ],
    [
      'those with less usual names',
      { 'check:format': 'prettier -c .', eslint: 'eslint .', 'check-types': 'tsc', 'test:unit': 'mocha' },
      [
        'format: npm run check:format',
        'lint: npm run eslint',
        'typecheck: npm run check-types',
        'test: npm run test:unit',
      ],
    ],
    [
      'none that check nothing',
      { start: 'node .', dev: 'vite', release: 'np', 'lint-staged': 'lint-staged' },
      [],
    ],
    ['no placeholder of npm', { test: PLACEHOLDER }, []],
    ['no placeholder with a pretest script', { pretest: 'tsc', test: PLACEHOLDER }, []],
    ['no empty commands', { test: '', lint: 'true', build: 'echo nothing to build' }, []],
    ['no values that are not strings', { test: 1, lint: ['eslint .'], build: null }, []],
    ['no names of inherited properties', { ['__proto__']: 'x', constructor: 'y' }, []],
    [
      'the script that only checks, not the one that fixes',
      { lint: 'eslint --fix .', 'lint:check': 'eslint .' },
      ['lint: npm run lint:check'],
    ],
    [
      'the checking form of scripts that fix',
      { lint: 'eslint src --ext .ts --fix', format: 'prettier --write "src/**/*.ts"' },
      [
        'format: npx --no-install prettier --check "src/**/*.ts"',
        'lint: npx --no-install eslint src --ext .ts',
      ],
    ],
    [
      'the checking form of biome',
      { check: 'biome check --write .', format: 'biome format --write' },
      ['format: npx --no-install biome format'],
    ],
    [
      'the checking form of a formatter with a short option',
      { prettier: 'prettier -w src' },
      ['format: npx --no-install prettier --check src'],
    ],
    ['no fixing script of several commands', { lint: 'eslint --fix . && stylelint --fix .' }, []],
    ['a formatter that only checks', { format: 'prettier --check .' }, ['format: npm run format']],
    ['no formatter that prints the result', { format: 'prettier .' }, []],
    [
      'a test that also fixes files',
      { test: 'npm run lint:fix && jest', 'lint:fix': 'eslint --fix .' },
      ['test: npm test'],
    ],
    ['no test that watches after another command', { test: 'tsc && jest --watch' }, []],
    ['no watching test with a script before it', { test: 'jest --watch', pretest: 'tsup' }, []],
    ['no nodemon', { test: 'nodemon --exec "mocha"' }, []],
    ['no compiler or linter that watches', { build: 'tsc -w', lint: 'eslint . --watch' }, []],
    ['a test with watching switched off', { test: 'ng test --watch=false' }, ['test: npm test']],
    ['no test that opens a browser and waits', { test: 'cypress open' }, []],
    [
      'the test that runs once, not the one that may watch',
      { test: 'vitest', 'test:run': 'vitest run' },
      ['test: npm run test:run'],
    ],
    [
      'the test for CI, not the one that watches',
      { test: 'jest --watchAll', 'test:ci': 'jest --ci' },
      ['test: npm run test:ci'],
    ],
    ['vitest, which does not watch without a terminal', { test: 'vitest' }, ['test: npm test']],
    [
      'the tests of Create React App, with CI=true',
      { test: 'react-scripts test' },
      ['test: CI=true npm test'],
    ],
    [
      'the tests of Create React App that set CI themselves',
      { test: 'CI=true react-scripts test' },
      ['test: npm test'],
    ],
    [
      'a general check as the kind of its tool',
      { check: 'svelte-kit sync && svelte-check --tsconfig ./tsconfig.json' },
      ['typecheck: npm run check'],
    ],
    [
      'a general check of a kind without a script',
      { check: 'tsc', test: 'jest' },
      ['typecheck: npm run check', 'test: npm test'],
    ],
    [
      'no general check of a kind with a script',
      { check: 'eslint .', lint: 'eslint src' },
      ['lint: npm run lint'],
    ],
    [
      'a general check of several kinds',
      { check: 'biome ci && tsc && vitest run' },
      ['check: npm run check'],
    ],
    [
      'no general check that only runs the others',
      { check: 'npm run lint && npm test', lint: 'eslint .', test: 'ava', ci: 'npm ci && npm run check' },
      ['lint: npm run lint', 'test: npm test'],
    ],
    [
      'a general check that does more than the others, instead of them',
      { verify: 'npm run lint && tsc && publint', lint: 'eslint .' },
      ['verify: npm run verify'],
    ],
    ['no general check that fixes', { check: 'biome check --write . && tsc' }, []],
    [
      'the rest of a test that only calls other scripts',
      {
        test: 'npm run lint && npm run build && npm run unit:all',
        lint: 'xo',
        build: 'tsup',
        'unit:all': 'ava',
      },
      ['lint: npm run lint', 'test: npm run build && npm run unit:all'],
    ],
    [
      'the scripts that run-s runs',
      { test: 'run-s lint test:*', lint: 'eslint .', 'test:unit': 'ava', 'test:e2e': 'playwright test' },
      ['lint: npm run lint', 'test: npm run test:unit && npm run test:e2e'],
    ],
    [
      'a whole test that has a pretest script',
      {
        pretest: 'npm run build',
        test: 'npm run lint && npm run unit',
        lint: 'xo',
        unit: 'ava',
        build: 'tsup',
      },
      ['test: npm test'],
    ],
    [
      'a whole test that does more than call scripts',
      { test: 'npm run lint && ava', lint: 'xo' },
      ['test: npm test'],
    ],
    [
      'only the lint of a test that is nothing else',
      { test: 'npm run lint', lint: 'xo' },
      ['lint: npm run lint'],
    ],
    ['a script that calls itself', { test: 'npm test' }, ['test: npm test']],
    [
      'a build without the type check that it repeats',
      {
        build: 'run-p type-check "build-only {@}" --',
        'build-only': 'vite build',
        'type-check': 'vue-tsc --build',
      },
      ['typecheck: npm run type-check', 'build: npm run build-only'],
    ],
    ['no build that repeats a test', { build: 'npm test && rollup -c', test: 'mocha' }, ['test: npm test']],
    [
      'a lint that includes the type check',
      { lint: 'concurrently npm:lint:*', 'lint:es': 'eslint .', 'lint:types': 'tsc' },
      ['lint: npm run lint'],
    ],
  ])('%s', ([, scripts, gates]) => {
    expect(proposedFor({ 'package.json': packageJson(scripts) })).toEqual(gates);
  });
});

describe('proposeGates takes from installed and configured tools', () => {
  const installed = (...names: string[]) => ({
    devDependencies: Object.fromEntries(names.map((name) => [name, '^9.0.0'])),
  });
  test.for<[what: string, files: Record<string, string>, gates: string[]]>([
    [
      'tsc if there is no script',
      { 'package.json': packageJson({}, installed('typescript')), 'tsconfig.json': '{ // comments\n }' },
      ['typecheck: npx --no-install tsc --noEmit'],
    ],
    [
      'tsc --build for project references',
      {
        'package.json': packageJson({}, installed('typescript')),
        'tsconfig.json': '{ "files": [], "references": [{ "path": "./app" }], }',
      },
      ['typecheck: npx --no-install tsc --build --noEmit'],
    ],
    [
      'no tsc for a tsconfig that is only extended',
      { 'package.json': packageJson({}, installed('typescript')), 'tsconfig.json': '{ "files": [] }' },
      [],
    ],
    ['no tsc if it is not installed', { 'package.json': packageJson({}), 'tsconfig.json': '{}' }, []],
    ['no tsc without a tsconfig', { 'package.json': packageJson({}, installed('typescript')) }, []],
    [
      'no tsc if the build runs it',
      {
        'package.json': packageJson({ build: 'tsc -b && vite build' }, installed('typescript')),
        'tsconfig.json': '{}',
      },
      ['build: npm run build'],
    ],
    [
      'vue-tsc, not tsc',
      {
        'package.json': packageJson({}, installed('typescript', 'vue-tsc')),
        'tsconfig.json': '{ "references": [{}] }',
      },
      ['typecheck: npx --no-install vue-tsc --build --noEmit'],
    ],
    [
      'svelte-check, not tsc',
      { 'package.json': packageJson({}, installed('typescript', 'svelte-check')), 'tsconfig.json': '{}' },
      ['typecheck: npx --no-install svelte-check'],
    ],
    [
      'eslint if the script only runs fixing scripts',
      {
        'package.json': packageJson(
          { lint: 'run-s lint:*', 'lint:es': 'eslint --fix .' },
          installed('eslint'),
        ),
        'eslint.config.js': '',
      },
      ['lint: npx --no-install eslint .'],
    ],
    [
      'biome',
      { 'package.json': packageJson({}, installed('@biomejs/biome')), 'biome.jsonc': '' },
      ['lint: npx --no-install biome check .'],
    ],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('proposeGates writes commands for', () => {
  const scripts = { lint: 'eslint .', test: 'jest' };
  const more = { devDependencies: { typescript: '5' } };
  const npm = ['lint: npm run lint', 'typecheck: npx --no-install tsc --noEmit', 'test: npm test'];
  const pnpm = ['lint: pnpm run lint', 'typecheck: pnpm exec tsc --noEmit', 'test: pnpm test'];
  const yarn = ['lint: yarn run lint', 'typecheck: yarn exec -- tsc --noEmit', 'test: yarn run test'];
  const bun = ['lint: bun run lint', 'typecheck: bunx --no-install tsc --noEmit', 'test: bun run test'];
  test.for<[what: string, files: Record<string, string>, fields: object, gates: string[]]>([
    ['npm by default', {}, {}, npm],
    ['npm by its lock file', { 'package-lock.json': '' }, {}, npm],
    ['pnpm by its lock file', { 'pnpm-lock.yaml': '' }, {}, pnpm],
    ['yarn by its lock file', { 'yarn.lock': '' }, {}, yarn],
    ['bun by its lock file', { 'bun.lock': '' }, {}, bun],
    ['bun by its old lock file', { 'bun.lockb': '' }, {}, bun],
    [
      'yarn by its lock file beside a package-lock.json',
      { 'package-lock.json': '', 'yarn.lock': '' },
      {},
      yarn,
    ],
    [
      'the package manager in packageManager',
      { 'yarn.lock': '' },
      { packageManager: 'pnpm@9.1.0+sha512.abc' },
      pnpm,
    ],
    ['the package manager in devEngines', {}, { devEngines: { packageManager: { name: 'bun' } } }, bun],
    [
      'the package manager of the lock file if packageManager is unknown',
      { 'bun.lock': '' },
      { packageManager: 'vlt@1' },
      bun,
    ],
  ])('%s', ([, files, fields, gates]) => {
    const project = {
      'package.json': packageJson(scripts, { ...more, ...fields }),
      'tsconfig.json': '{}',
      ...files,
    };
    expect(proposedFor(project)).toEqual(gates);
  });
});

describe('proposeGates has notes on', () => {
  test.for<[what: string, packageJson: string, notes: string[]]>([
    ['nothing if every script is suitable', packageJson({ test: 'jest', lint: 'eslint .' }), []],
    ['nothing for a placeholder', packageJson({ test: PLACEHOLDER }), []],
    [
      'a test that never ends',
      packageJson({ test: 'npm run build && jest --watch' }),
      ['Script test in package.json never ends; a script that runs once could be a gate.'],
    ],
    [
      'a lint that fixes',
      packageJson({ lint: 'standard --fix && echo done' }),
      ['Script lint in package.json changes files; a script that only checks could be a gate.'],
    ],
    [
      'scripts that are not an object',
      packageJson('eslint .'),
      ['"scripts" in package.json is not an object; it is ignored.'],
    ],
    [
      'comments, which npm rejects',
      '{\n  // mine\n  "scripts": { "test": "jest" }\n}',
      ['package.json is broken: InvalidCommentToken at line 2; it is ignored.'],
    ],
    ['a package.json that is not an object', '[]', ['package.json is not a table of keys; it is ignored.']],
    ['an empty package.json', '', ['package.json is broken: ValueExpected at line 1; it is ignored.']],
  ])('%s', ([, text, notes]) => {
    expect(proposeGates(projectDirectory({ 'package.json': text })).notes).toEqual(notes);
  });

  test('the scripts that a gate runs and how it differs from its script', () => {
    const scripts = {
      pretest: 'npm run lint',
      lint: 'eslint .',
      test: 'vitest',
      format: 'prettier --write .',
    };
    const { gates } = proposeGates(projectDirectory({ 'package.json': packageJson(scripts) }));
    expect(gates.map(({ why }) => why)).toEqual([
      'script format in package.json, without fixing',
      'script test in package.json, which also runs lint; vitest runs once if there is no terminal',
    ]);
  });
});

test('proposeGates reads a package.json with a byte order mark', () => {
  expect(proposedFor({ 'package.json': `\uFEFF${packageJson({ test: 'jest' })}` })).toEqual([
    'test: npm test',
  ]);
});

test('proposeGates ignores a package.json that is nested too deeply', () => {
  const text = `{"scripts": ${'['.repeat(100_000)}`;
  expect(proposeGates(projectDirectory({ 'package.json': text })).gates).toEqual([]);
});

describe('proposeGates runs a watching script without its watching:', () => {
  test.for<[script: string, gate: string]>([
    ['jest --watch', 'npx --no-install jest'],
    ['jest --watchAll --coverage', 'npx --no-install jest --coverage'],
    ['NODE_ENV=test jest --watch', 'NODE_ENV=test npx --no-install jest'],
    ['cross-env A=b jest --watch', 'npx --no-install cross-env A=b jest'],
    ['vitest --watch', 'npx --no-install vitest run'],
    ['vitest dev --watch=true', 'npx --no-install vitest run'],
    ['vitest --ui', 'npx --no-install vitest run'],
    ['mocha -w', 'npx --no-install mocha'],
    ['node --test --watch', 'node --test'],
    ['ng test', 'npx --no-install ng test --no-watch'],
    ['karma start', 'npx --no-install karma start --single-run'],
  ])('%s', ([script, gate]) => {
    const { gates, notes } = proposeGates(
      projectDirectory({ 'package.json': packageJson({ test: script }) }),
    );
    expect(gates.map(({ run, why }) => [run, why])).toEqual([
      [gate, 'script test in package.json, without watching'],
    ]);
    expect(notes).toEqual([]);
  });

  test('a type check', () => {
    const files = { 'package.json': packageJson({ typecheck: 'tsc --noEmit -w' }) };
    expect(proposedFor(files)).toEqual(['typecheck: npx --no-install tsc --noEmit']);
  });
});
