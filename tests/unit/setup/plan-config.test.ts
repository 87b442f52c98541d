import { expect, test } from 'vitest';
import { worktreeYaml } from '../../../src/setup/plan-config.ts';
import { proposeGates } from '../../../src/setup/propose-gates.ts';
import { packageJson, projectDirectory } from '../../helpers/project-directory.ts';
import { readWorktree } from '../../helpers/read-worktree.ts';

test('worktreeYaml writes one entry for each gate', () => {
  const { gates } = proposeGates(
    projectDirectory({ 'package.json': packageJson({ lint: 'eslint .', test: 'jest' }), 'go.mod': '' }),
  );
  expect(worktreeYaml(gates)).toBe(`\
# The gates that must hold before a coding agent may stop, cheap ones first.
# \`ralph-loop verify\` runs them now, \`ralph-loop verify <name>\` one of them.

verify:
  - name: format
    run: "! gofmt -l . | grep -vE '^(vendor|node_modules)/'"
  - name: lint
    run: npm run lint
  - name: vet
    run: go vet ./...
  - name: test
    run: npm test
    timeout: 300
  - name: go-test
    run: go test ./...
    timeout: 600
`);
});

test('worktreeYaml lets gates run at the same time, except those that write files', async () => {
  const { gates } = proposeGates(
    projectDirectory({ 'package.json': packageJson({ lint: 'eslint .', build: 'vite build' }) }),
  );
  const yaml = worktreeYaml(gates, { withJobs: true });
  expect(yaml.slice(yaml.indexOf('verify:'))).toBe(`\
verify:
  - name: lint
    run: npm run lint
  - name: build
    run: npm run build
    timeout: 300
    exclusive: true

ralph:
  jobs: auto # gates run at the same time, except exclusive ones
`);
  const read = await readWorktree(yaml, 'stand-alone');
  expect(read.problems).toEqual([]);
  expect(read.settings.jobs).toBe('auto');
  expect(read.gates.map(({ exclusive = false }) => exclusive)).toEqual([false, true]);
});

test('worktreeYaml refers to the schema in the first line if asked', () => {
  const [first, second] = worktreeYaml([], { withSchema: true }).split('\n');
  expect(first).toBe('# yaml-language-server: $schema=./node_modules/ralph-loop-cli/schema/worktree.json');
  expect(second).toBe('# The gates that must hold before a coding agent may stop, cheap ones first.');
});

test.for([
  ['npm test'],
  ['! gofmt -l . | grep .'],
  ["bun run --filter '*' test"],
  ['npx --no-install prettier --check "src/**/*.{ts,tsx}"'],
  ['echo "a: b" # not a comment'],
  ['- a dash'],
  ['[ -f a ] && { echo x; }'],
  ['yes'],
  ['123'],
  ['null'],
  ['*alias'],
  ['{ a: b }'],
  ['%percent @at `tick`'],
  ['a\nb\n  c'],
  ['C:\\x "y" \'z\''],
  [`echo ${'long '.repeat(60)}end`],
  ['naïve → ✓ \u0007'],
])('worktreeYaml quotes the command %j so that it is parsed unchanged', async ([run = '']) => {
  const gates = [
    { name: 'lint: all #1', run, timeoutSeconds: 300 },
    { name: 'true', run: 'second' },
  ];
  const read = await readWorktree(worktreeYaml(gates, { withSchema: true }), 'stand-alone');
  expect(read.problems).toEqual([]);
  expect(read.gates.map(({ name, command, timeoutSeconds }) => ({ name, command, timeoutSeconds }))).toEqual([
    { name: 'lint: all #1', command: run, timeoutSeconds: 300 },
    { name: 'true', command: 'second', timeoutSeconds: 120 },
  ]);
});
