import { expect, test } from 'vitest';
import { readProject } from '../../../src/config/load.ts';
import { NO_OUTPUT } from '../../../src/gates/known-results.ts';
import type { CommandGate } from '../../../src/gates/types.ts';
import { checkConfig, checkGate, checkPaths, gateFinding } from '../../../src/setup/check-project.ts';
import { shellGate } from '../../helpers/gate-results.ts';

const environment = { isFound: () => true, scriptsOf: () => ['lint', 'test'] };

function problemOf(command: string): string | undefined {
  const { level, what } = checkGate(shellGate('gate', { command }), environment, []);
  return level === 'ok' ? undefined : what;
}

test.for(['npm run lnt', 'npm run lnt && x', 'pnpm run lnt -- --fix', 'npm run lnt src', 'npm run lint:all'])(
  'checkGate reports a missing script of package.json: %s',
  (command) => {
    expect(problemOf(command)).toMatch(/^gate: package\.json has no script "(lnt|lint:all)"\.$/);
  },
);

test.for([
  'npm test',
  'npm run lint',
  'npm run lint --workspaces --if-present',
  'npm run build -w packages/a',
  'npm run --prefix packages/a build',
  'npm run -s build',
  'pnpm run build --filter a',
  'pnpm -r run build',
  'npm testing',
  'yarn run eslint',
  'bun run check.ts',
])('checkGate does not guess whether the script exists: %s', (command) => {
  expect(problemOf(command)).toBeUndefined();
});

test.each([
  ['npm test', 'gate: found'],
  ['(cd app && make)', 'gate: not checked: only --fire runs it'],
])('checkGate does not say that a gate passes: %s', (command, what) => {
  expect(checkGate(shellGate('gate', { command }), environment, [])).toMatchObject({ level: 'ok', what });
});

test('checkGate shows what a gate waits for', () => {
  const gate = shellGate('e2e', { needs: ['build', 'disabled'], exclusive: true });
  expect(checkGate(gate, environment, [shellGate('build'), gate]).what).toBe(
    'e2e: found, needs build, runs alone',
  );
});

test.for([
  ['', 'worktree.yaml: guards main, check, trellis-check'],
  [
    'ralph: { jobs: auto }',
    'worktree.yaml: guards main, check, trellis-check; gates of the same order run at the same time, one for each core',
  ],
  [
    'ralph: { jobs: 4 }',
    'worktree.yaml: guards main, check, trellis-check; gates of the same order run at the same time, up to 4',
  ],
])('checkConfig shows how many gates run at the same time: %s', async ([ralph, what]) => {
  const config = { path: '/p/worktree.yaml', text: `verify: [npm test]\n${ralph}\n` };
  const project = { root: '/p', layout: 'stand-alone', config } as const;
  expect(checkConfig(project, await readProject(project, undefined), undefined)[0]?.what).toBe(what);
});

test.each([
  [{ reason: 'passed' }, 'ok', 'gate: passed, after 1.2 s'],
  [{ reason: 'unaffected' }, 'ok', 'gate: was not run: no changed file matches its paths, after 1.2 s'],
  [{ reason: 'failed', exitCode: 2 }, 'warning', 'gate: exited with code 2, after 1.2 s'],
  [{ reason: 'timed-out', limitSeconds: 1 }, 'warning', 'gate: timed out: '],
  [{ reason: 'empty' }, 'warning', 'gate: ran no test, after 1.2 s'],
  [{ reason: 'not-found' }, 'error', 'gate: exited with code 127: '],
  [{ reason: 'not-started', message: 'no shell' }, 'error', 'gate: could not be started: no shell'],
] as const)('gateFinding reports the result of a run: %j', (outcome, level, what) => {
  const result = { gate: shellGate('gate'), outcome, durationMs: 1234, output: NO_OUTPUT };
  expect(gateFinding(result)).toMatchObject({ level, what: expect.stringContaining(what) });
});

test.for<
  readonly [gate: Partial<CommandGate>, files: readonly string[] | 'unknown', findings: readonly string[]]
>([
  [{}, [], []],
  [{ paths: ['src/**'] }, ['src/a'], []],
  [{ paths: ['src/**', '!**/*.md'] }, ['src/a'], []],
  [
    { paths: ['scr/**', '/lib'] },
    ['src/a', 'lib/a'],
    ['warning file:3: gate: no file matches "paths" (scr/**, /lib): the gate never runs.'],
  ],
  [
    { paths: ['**', '!**'] },
    ['src/a'],
    ['warning file:3: gate: no file matches "paths" (**, !**): the gate never runs.'],
  ],
  [{ paths: ['src/**', 'scr/**'] }, ['src/a'], ['warning file:3: gate: no file matches "scr/**".']],
  [
    { paths: ['!docs/**'] },
    ['src/a'],
    [
      'warning file:3: gate: "paths" only excludes, so all other files count. In GitHub Actions no file would.',
    ],
  ],
  [
    { paths: ['src/**'] },
    'unknown',
    ['warning gate: "paths" has no effect, the changed files are not known: no repository.'],
  ],
  [
    { command: 'lint {changed_files}' },
    'unknown',
    ['error gate: cannot run: the changed files are not known: no repository.'],
  ],
])('checkPaths reports for %j and the files %j: %j', ([gate, files, findings]) => {
  const environment = {
    files:
      files === 'unknown'
        ? { ok: false as const, failure: { message: 'no repository' } }
        : { ok: true as const, value: files },
    placeOf: () => 'file:3: ',
  };
  const found = checkPaths(shellGate('gate', gate), environment);

  expect(found.map(({ level, what }) => `${level} ${what}`)).toEqual(findings);
});

test.each([
  ['all of verify commented out', 'worktree_dir: ../x\n# verify:\n#   - npm test\n', true],
  ['an empty verify', 'verify: []\n', true],
  ['no config', undefined, true],
  ['a command', 'verify: [npm test]\n', false],
])('checkConfig reports that a Trellis project has markers only: %s', async (_, text, isReported) => {
  const config = text === undefined ? {} : { config: { path: '/p/.trellis/worktree.yaml', text } };
  const project = { root: '/p', layout: 'trellis', ...config } as const;
  const findings = checkConfig(project, await readProject(project, 'tasks/t'), 'tasks/t');
  expect(findings.filter(({ what }) => what.startsWith('Markers only: no gate is set.'))).toHaveLength(
    isReported ? 1 : 0,
  );
});
