import { describe, expect, test } from 'vitest';
import { proposeGates } from '../../../../src/setup/propose-gates.ts';
import { packageJson, projectDirectory, proposedFor } from '../../../helpers/project-directory.ts';

type Files = Record<string, string>;

const member = packageJson({ lint: 'eslint .', test: 'vitest run' });
const members: Files = {
  'packages/a/package.json': member,
  'packages/b/package.json': packageJson({ test: 'jest' }),
};
const root = (more: object = {}, scripts: object = {}) =>
  packageJson(scripts, { workspaces: ['packages/*'], ...more });

describe('proposeGates checks the packages of a workspace', () => {
  test.for<[what: string, files: Files, gates: string[]]>([
    [
      'by npm',
      { 'package.json': root(), ...members },
      ['lint: npm run lint --workspaces --if-present', 'test: npm run test --workspaces --if-present'],
    ],
    [
      'by pnpm',
      { 'package.json': packageJson({}), 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n', ...members },
      ['lint: pnpm -r --if-present run lint', 'test: pnpm -r --if-present run test'],
    ],
    [
      'by yarn',
      { 'package.json': root({ packageManager: 'yarn@4.2.2' }), ...members },
      ['lint: yarn workspaces foreach -A run lint', 'test: yarn workspaces foreach -A run test'],
    ],
    [
      'by yarn, detected by its configuration',
      { 'package.json': root(), 'yarn.lock': '', '.yarnrc.yml': '', ...members },
      ['lint: yarn workspaces foreach -A run lint', 'test: yarn workspaces foreach -A run test'],
    ],
    // yarn 1 fails for a package without the script.
    [
      'by yarn 1 if all packages have the script',
      { 'package.json': root(), 'yarn.lock': '', ...members },
      ['test: yarn workspaces run test'],
    ],
    [
      'by yarn 1, without the root',
      { 'package.json': packageJson({}, { workspaces: ['**'] }), 'yarn.lock': '', ...members },
      ['test: yarn workspaces run test'],
    ],
    [
      'by bun',
      { 'package.json': root(), 'bun.lock': '', ...members },
      ["lint: bun run --filter '*' lint", "test: bun run --filter '*' test"],
    ],
    [
      'by turbo if it has the task',
      { 'package.json': root(), 'turbo.json': '{ "tasks": { "test": {} } }', ...members },
      ['lint: npm run lint --workspaces --if-present', 'test: npx --no-install turbo run test'],
    ],
    [
      'by an older turbo',
      { 'package.json': root(), 'turbo.json': '{ "pipeline": { "test": {}, "lint": {} } }', ...members },
      ['lint: npx --no-install turbo run lint', 'test: npx --no-install turbo run test'],
    ],
    [
      'by nx',
      { 'package.json': root(), 'nx.json': '{}', ...members },
      ['lint: npx --no-install nx run-many -t lint', 'test: npx --no-install nx run-many -t test'],
    ],
    [
      'by the targets that nx.json mentions',
      {
        'package.json': packageJson({}),
        'nx.json': JSON.stringify({
          targetDefaults: { build: { cache: true } },
          tasksRunnerOptions: { default: { options: { cacheableOperations: ['typecheck'] } } },
          plugins: [
            { plugin: '@nx/eslint/plugin', options: { targetName: 'lint' } },
            { plugin: '@nx/vite/plugin', options: { testTargetName: 'test' } },
          ],
          generators: { '@nx/react': { application: { linter: 'eslint' } } },
        }),
      },
      [
        'lint: npx --no-install nx run-many -t lint',
        'typecheck: npx --no-install nx run-many -t typecheck',
        'test: npx --no-install nx run-many -t test',
        'build: npx --no-install nx run-many -t build',
      ],
    ],
    [
      'by lerna',
      { 'package.json': packageJson({}), 'lerna.json': '{ "packages": ["packages/*"] }', ...members },
      ['lint: npx --no-install lerna run lint', 'test: npx --no-install lerna run test'],
    ],
    [
      'unless the root has a script of the kind',
      { 'package.json': root({}, { test: 'vitest run' }), ...members },
      ['lint: npm run lint --workspaces --if-present', 'test: npm test'],
    ],
    [
      "if the root's script is npm's placeholder",
      { 'package.json': root({}, { test: 'echo "Error: no test specified" && exit 1' }), ...members },
      ['lint: npm run lint --workspaces --if-present', 'test: npm run test --workspaces --if-present'],
    ],
    [
      'without a script that always fails in one of them',
      {
        'package.json': root(),
        ...members,
        'packages/c/package.json': packageJson({ test: 'echo "Error: no test specified" && exit 1' }),
      },
      ['lint: npm run lint --workspaces --if-present'],
    ],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('proposeGates notes how to check only what the changes affect', () => {
  const turbo = { 'turbo.json': '{ "tasks": { "test": {}, "lint": {} } }' };
  test.for<[what: string, files: Files, command: string | undefined]>([
    [
      'with turbo',
      { 'package.json': root(), ...turbo, ...members },
      'npx --no-install turbo run test --affected',
    ],
    [
      'with turbo in a script',
      { 'package.json': packageJson({ lint: 'turbo lint', build: 'tsc' }), 'pnpm-lock.yaml': '', ...turbo },
      'pnpm exec turbo run lint --affected',
    ],
    [
      'with nx',
      { 'package.json': root(), 'nx.json': '{}', ...members },
      'npx --no-install nx affected -t test',
    ],
    [
      'with nx in a script',
      { 'package.json': packageJson({ test: 'nx run-many --target=unit --parallel=3' }), 'nx.json': '{}' },
      'npx --no-install nx affected -t unit',
    ],
    [
      'unless the script does',
      { 'package.json': packageJson({ test: 'turbo run test --affected' }), ...turbo },
      undefined,
    ],
    ['unless there is no such tool', { 'package.json': root(), ...members }, undefined],
  ])('%s', ([, files, command]) => {
    const notes = command ? [`In a large project, \`${command}\` checks only what the changes affect.`] : [];

    expect(proposeGates(projectDirectory(files)).notes).toEqual(notes);
  });
});

describe('the packages of a workspace', () => {
  const tested = packageJson({ test: 'ava' });
  test.for<[what: string, workspaces: unknown, path: string, isFound: boolean]>([
    ['match a name', ['web'], 'web', true],
    ['match a hidden name', ['.config/tool'], '.config/tool', true],
    ['with a hidden name do not match a star', ['*/tool'], '.config/tool', false],
    ['match a path', ['./apps/web/'], 'apps/web', true],
    ['match a star', ['packages/*'], 'packages/a', true],
    ['match a star in a name', ['packages/lib-*'], 'packages/lib-a', true],
    ['with another name do not match', ['packages/lib-*'], 'packages/app-a', false],
    ['match a star in the middle', ['*/web'], 'apps/web', true],
    ['match two stars', ['packages/**'], 'packages/group/a', true],
    ['match patterns in an object', { packages: ['packages/*'] }, 'packages/a', true],
    ['can be excluded', ['packages/*', '!packages/a'], 'packages/a', false],
    ['can be excluded by a pattern', ['packages/**', '!**/test/**'], 'packages/test/a', false],
    ['are not searched more than two levels deep', ['packages/**'], 'packages/a/b/c', false],
    ['are not in node_modules', ['**'], 'node_modules/a', false],
    ['are not outside the root', ['../*'], '../a', false],
    ['do not match a pattern that is not in a list', 'packages/*', 'packages/a', false],
  ])('%s', ([, workspaces, path, isFound]) => {
    const files = { 'package.json': packageJson({}, { workspaces }), [`${path}/package.json`]: tested };
    const { gates } = proposeGates(projectDirectory(files));
    expect(gates.map(({ why }) => why)).toEqual(isFound ? [`script test in ${path}/package.json`] : []);
  });

  test('are read up to a hundred', () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`p/${index}/package.json`, tested]),
    );
    const { gates } = proposeGates(
      projectDirectory({ 'package.json': root({ workspaces: ['p/*'] }), ...many }),
    );
    expect(gates.map(({ why }) => why)).toEqual([expect.stringMatching(/ and 99 more$/)]);
  });
});
