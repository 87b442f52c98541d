import { describe, expect, test } from 'vitest';
import { proposeGates } from '../../../src/setup/propose-gates.ts';
import { packageJson, projectDirectory, proposedFor } from '../../helpers/project-directory.ts';

type Row = [what: string, scripts: unknown, gates: string[]];

const PLACEHOLDER = 'echo "Error: no test specified" && exit 1';

describe('scripts of a package.json make gates', () => {
  test.for<Row>([
    [
      'by their names, cheap ones first',
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
      'by other names',
      { 'check:format': 'prettier -c .', eslint: 'eslint .', 'check-types': 'tsc', 'test:unit': 'mocha' },
      [
        'format: npm run check:format',
        'lint: npm run eslint',
        'typecheck: npm run check-types',
        'test: npm run test:unit',
      ],
    ],
    [
      'not those that say nothing',
      { start: 'node .', dev: 'vite', release: 'np', 'lint-staged': 'lint-staged' },
      [],
    ],
    ["not npm's placeholder", { test: PLACEHOLDER }, []],
    ['not a placeholder with a script before it', { pretest: 'tsc', test: PLACEHOLDER }, []],
    ['not what is left empty', { test: '', lint: 'true', build: 'echo nothing to build' }, []],
    ['not what is no text', { test: 1, lint: ['eslint .'], build: null }, []],
    ['not inherited ones', { ['__proto__']: 'x', constructor: 'y' }, []],
    [
      'the one that only checks, not the one that repairs',
      { lint: 'eslint --fix .', 'lint:check': 'eslint .' },
      ['lint: npm run lint:check'],
    ],
    [
      'as a check, where there is only the one that repairs',
      { lint: 'eslint src --ext .ts --fix', format: 'prettier --write "src/**/*.ts"' },
      [
        'format: npx --no-install prettier --check "src/**/*.ts"',
        'lint: npx --no-install eslint src --ext .ts',
      ],
    ],
    [
      'biome as a check',
      { check: 'biome check --write .', format: 'biome format --write' },
      ['format: npx --no-install biome format'],
    ],
    [
      'a formatter by its short option',
      { prettier: 'prettier -w src' },
      ['format: npx --no-install prettier --check src'],
    ],
    ['not a repair of several commands', { lint: 'eslint --fix . && stylelint --fix .' }, []],
    ['a formatter that checks already', { format: 'prettier --check .' }, ['format: npm run format']],
    ['not a formatter that prints', { format: 'prettier .' }, []],
    [
      'a test that repairs on its way',
      { test: 'npm run lint:fix && jest', 'lint:fix': 'eslint --fix .' },
      ['test: npm test'],
    ],
    ['not a test that watches', { test: 'jest --watch' }, []],
    ['not a test that another script watches', { test: 'npm run unit', unit: 'vitest watch' }, []],
    ['not nodemon', { test: 'nodemon --exec "mocha"' }, []],
    ['not a bundler that watches', { build: 'tsc -w', lint: 'eslint . --watch' }, []],
    ['a test that is told not to watch', { test: 'ng test --watch=false' }, ['test: npm test']],
    ['not a test that opens a browser and waits', { test: 'ng test' }, []],
    ['the test that runs once', { test: 'vitest', 'test:run': 'vitest run' }, ['test: npm run test:run']],
    ['the test for CI', { test: 'jest --watchAll', 'test:ci': 'jest --ci' }, ['test: npm run test:ci']],
    ['vitest, which has no terminal', { test: 'vitest' }, ['test: npm test']],
    ['Create React App, told that it is CI', { test: 'react-scripts test' }, ['test: CI=true npm test']],
    ['Create React App that knows it', { test: 'CI=true react-scripts test' }, ['test: npm test']],
    [
      'a check of its own kind',
      { check: 'svelte-kit sync && svelte-check --tsconfig ./tsconfig.json' },
      ['typecheck: npm run check'],
    ],
    [
      'a check of a kind that no other has',
      { check: 'tsc', test: 'jest' },
      ['typecheck: npm run check', 'test: npm test'],
    ],
    [
      'not a check of a kind that another has',
      { check: 'eslint .', lint: 'eslint src' },
      ['lint: npm run lint'],
    ],
    ['a check of several kinds', { check: 'biome ci && tsc && vitest run' }, ['check: npm run check']],
    [
      'not a check that runs the others',
      { check: 'npm run lint && npm test', lint: 'eslint .', test: 'ava', ci: 'npm ci && npm run check' },
      ['lint: npm run lint', 'test: npm test'],
    ],
    [
      'a check that does more than the others, in their place',
      { verify: 'npm run lint && tsc && publint', lint: 'eslint .' },
      ['verify: npm run verify'],
    ],
    ['not a check that repairs', { check: 'biome check --write . && tsc' }, []],
    [
      'the rest of a test that only calls others',
      {
        test: 'npm run lint && npm run build && npm run unit:all',
        lint: 'xo',
        build: 'tsup',
        'unit:all': 'ava',
      },
      ['lint: npm run lint', 'test: npm run build && npm run unit:all'],
    ],
    [
      'the parts of run-s',
      { test: 'run-s lint test:*', lint: 'eslint .', 'test:unit': 'ava', 'test:e2e': 'playwright test' },
      ['lint: npm run lint', 'test: npm run test:unit && npm run test:e2e'],
    ],
    [
      'all of a test that has a script before it',
      {
        pretest: 'npm run build',
        test: 'npm run lint && npm run unit',
        lint: 'xo',
        unit: 'ava',
        build: 'tsup',
      },
      ['test: npm test'],
    ],
    ['all of a test that lints itself', { test: 'npm run lint && ava', lint: 'xo' }, ['test: npm test']],
    ['one of a test and a lint that calls it', { test: 'npm run lint', lint: 'xo' }, ['lint: npm run lint']],
    ['a script that calls itself', { test: 'npm test' }, ['test: npm test']],
    [
      'a build without what it repeats',
      {
        build: 'run-p type-check "build-only {@}" --',
        'build-only': 'vite build',
        'type-check': 'vue-tsc --build',
      },
      ['typecheck: npm run type-check', 'build: npm run build-only'],
    ],
    [
      'no build that repeats a test and does more',
      { build: 'npm test && rollup -c', test: 'mocha' },
      ['test: npm test'],
    ],
    [
      'a lint without the types that it calls',
      { lint: 'concurrently npm:lint:*', 'lint:es': 'eslint .', 'lint:types': 'tsc' },
      ['lint: npm run lint'],
    ],
  ])('%s', ([, scripts, gates]) => {
    expect(proposedFor({ 'package.json': packageJson(scripts) })).toEqual(gates);
  });
});

describe('what is installed and configured makes gates', () => {
  const installed = (...names: string[]) => ({
    devDependencies: Object.fromEntries(names.map((name) => [name, '^9.0.0'])),
  });
  test.for<[what: string, files: Record<string, string>, gates: string[]]>([
    [
      'tsc without a script',
      { 'package.json': packageJson({}, installed('typescript')), 'tsconfig.json': '{ // comments\n }' },
      ['typecheck: npx --no-install tsc --noEmit'],
    ],
    [
      'tsc of a project of projects',
      {
        'package.json': packageJson({}, installed('typescript')),
        'tsconfig.json': '{ "files": [], "references": [{ "path": "./app" }], }',
      },
      ['typecheck: npx --no-install tsc --build --noEmit'],
    ],
    [
      'no tsc for a tsconfig that others extend',
      { 'package.json': packageJson({}, installed('typescript')), 'tsconfig.json': '{ "files": [] }' },
      [],
    ],
    ['no tsc that is not installed', { 'package.json': packageJson({}), 'tsconfig.json': '{}' }, []],
    ['no tsc without a tsconfig', { 'package.json': packageJson({}, installed('typescript')) }, []],
    [
      'no tsc beside a build that calls it',
      {
        'package.json': packageJson({ build: 'tsc -b && vite build' }, installed('typescript')),
        'tsconfig.json': '{}',
      },
      ['build: npm run build'],
    ],
    [
      "vue's own compiler",
      {
        'package.json': packageJson({}, installed('typescript', 'vue-tsc')),
        'tsconfig.json': '{ "references": [{}] }',
      },
      ['typecheck: npx --no-install vue-tsc --build --noEmit'],
    ],
    [
      "svelte's own",
      { 'package.json': packageJson({}, installed('typescript', 'svelte-check')), 'tsconfig.json': '{}' },
      ['typecheck: npx --no-install svelte-check'],
    ],
    [
      'eslint, where the script only calls what repairs',
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

describe('the package manager is', () => {
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
    ['not npm by a stray lock file', { 'package-lock.json': '', 'yarn.lock': '' }, {}, yarn],
    ['the one that is named', { 'yarn.lock': '' }, { packageManager: 'pnpm@9.1.0+sha512.abc' }, pnpm],
    ['the one that developers are told', {}, { devEngines: { packageManager: { name: 'bun' } } }, bun],
    [
      'told by the lock file, where the name is unknown',
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

describe('the person is told', () => {
  test.for<[what: string, packageJson: string, notes: string[]]>([
    ['nothing where all is well', packageJson({ test: 'jest', lint: 'eslint .' }), []],
    ['nothing of a placeholder', packageJson({ test: PLACEHOLDER }), []],
    [
      'of a test that never ends',
      packageJson({ test: 'jest --watch' }),
      ['The script test in package.json never ends; one that runs once could be a gate.'],
    ],
    [
      'of a lint that repairs',
      packageJson({ lint: 'standard --fix && echo done' }),
      ['The script lint in package.json changes files; one that only checks could be a gate.'],
    ],
    [
      'of scripts that are none',
      packageJson('eslint .'),
      ['The "scripts" of package.json are no object; nothing is proposed from them.'],
    ],
    [
      'of comments, which npm refuses',
      '{\n  // mine\n  "scripts": { "test": "jest" }\n}',
      ['package.json is broken: InvalidCommentToken at line 2; what it says is passed over.'],
    ],
    ['of what is no object', '[]', ['package.json holds no table of keys; what it says is passed over.']],
    [
      'of an empty file',
      '',
      ['package.json is broken: ValueExpected at line 1; what it says is passed over.'],
    ],
  ])('%s', ([, text, notes]) => {
    expect(proposeGates(projectDirectory({ 'package.json': text })).notes).toEqual(notes);
  });

  test('what each gate was seen in', () => {
    const scripts = {
      pretest: 'npm run lint',
      lint: 'eslint .',
      test: 'vitest',
      format: 'prettier --write .',
    };
    const { gates } = proposeGates(projectDirectory({ 'package.json': packageJson(scripts) }));
    expect(gates.map(({ why }) => why)).toEqual([
      'script format in package.json, as a check only',
      'script test in package.json, which runs lint too; vitest runs once where there is no terminal',
    ]);
  });
});

test('a byte order mark is no fault', () => {
  expect(proposedFor({ 'package.json': `\uFEFF${packageJson({ test: 'jest' })}` })).toEqual([
    'test: npm test',
  ]);
});

test('scripts that are nested without end do no harm', () => {
  const text = `{"scripts": ${'['.repeat(100_000)}`;
  expect(proposeGates(projectDirectory({ 'package.json': text })).gates).toEqual([]);
});
