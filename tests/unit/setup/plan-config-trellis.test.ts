import { describe, expect } from 'vitest';
import type { ProposedGate } from '../../../src/setup/candidates.ts';
import { planConfig } from '../../../src/setup/plan-config.ts';
import { type Project, test } from '../../helpers/project.ts';

const PATH = '.trellis/worktree.yaml';
const gate = (run: string, more: Partial<ProposedGate> = {}): ProposedGate => ({
  name: run,
  kind: 'test',
  run,
  why: '',
  ...more,
});

/** The text of the config after `init`, with the gates and the remarks. */
async function planned(project: Project, gates: readonly ProposedGate[]) {
  const { root } = project;
  const text = project.read(PATH);
  const target = {
    root,
    repository: root,
    project: { root, layout: 'trellis', config: { path: project.path(PATH), text } },
  } as const;
  const plan = await planConfig(target, gates, { kind: 'on-path' });
  expect(plan.problems).toEqual([]);
  return { ...plan, text: plan.changes[0]?.after };
}

/** What Trellis's own parser takes as commands: each line after `verify:` that starts with a dash, as it is written. */
function readByTrellis(text: string): string[] {
  const commands: string[] = [];
  let isInVerify = false;
  for (const line of text.split('\n')) {
    const stripped = line.trim();
    if (stripped.startsWith('verify:')) isInVerify = true;
    else if (/^\S/.test(line) && stripped.endsWith(':')) isInVerify = false;
    else if (isInVerify && stripped.startsWith('- ')) commands.push(stripped.slice(2).trim());
  }
  return commands;
}

const COMMENTED = `\
worktree_dir: ../trellis-worktrees

# Commands that must pass
verify:
  # - pnpm lint
  # - pnpm typecheck

# the end
other:
  - kept
`;

describe('the plan for a Trellis config writes gates', () => {
  test.for([
    [
      'after its commented examples',
      COMMENTED,
      COMMENTED.replace('typecheck\n', 'typecheck\n  - npm run lint\n  - npm test\n'),
    ],
    [
      'at its end if it has no last line end',
      'verify:\n  # - pnpm lint',
      'verify:\n  # - pnpm lint\n  - npm run lint\n  - npm test\n',
    ],
    [
      'before an unindented comment',
      'verify:\n  # - a\n# Paths:\n  # - b\ncopy:\n',
      'verify:\n  # - a\n  - npm run lint\n  - npm test\n# Paths:\n  # - b\ncopy:\n',
    ],
    ['below an empty key', 'verify: # none yet\n', 'verify: # none yet\n  - npm run lint\n  - npm test\n'],
    ['in place of an empty list', 'verify: []\na: 1\n', 'verify:\n  - npm run lint\n  - npm test\na: 1\n'],
    [
      'after a key that is a comment',
      '# verify:\n#   - pnpm lint\n',
      '# verify:\n#   - pnpm lint\nverify:\n  - npm run lint\n  - npm test\n',
    ],
    [
      'with its line ends',
      'verify:\r\n  # - a\r\ncopy:\r\n',
      'verify:\r\n  # - a\r\n  - npm run lint\r\n  - npm test\r\ncopy:\r\n',
    ],
  ] as const)('%s', async ([, before, after], { makeProject }) => {
    const project = makeProject({ [PATH]: before });
    const { text } = await planned(project, [gate('npm run lint', { name: 'lint' }), gate('npm test')]);
    expect(text).toBe(after);
  });

  test.for([
    ['npm test'],
    ['! gofmt -l . | grep .'],
    ["bun run --filter '*' test"],
    ['npx --no-install prettier --check "src/**/*.{ts,tsx}"'],
    ['echo "a: b" # not a comment'],
    ['[ -f a ] && { echo x; }'],
    ['yes'],
    ['123'],
  ])('that Trellis reads as they are: %s', async ([run = ''], { makeProject }) => {
    const { text = '', gates } = await planned(makeProject({ [PATH]: COMMENTED }), [
      gate(run, { name: 'a' }),
    ]);
    expect(readByTrellis(text)).toEqual([run]);
    expect(gates).toMatchObject([{ command: run }]);
  });

  test('for subprojects as commands that change the directory', async ({ makeProject }) => {
    const project = makeProject({ [PATH]: COMMENTED, "my web's/a": '' });
    const { text = '' } = await planned(project, [gate('npm test', { cwd: "my web's" })]);
    expect(readByTrellis(text)).toEqual([String.raw`cd 'my web'\''s' && npm test`]);
  });

  test('as YAML if they have several lines', async ({ makeProject }) => {
    const { gates } = await planned(makeProject({ [PATH]: COMMENTED }), [gate('a\nb')]);
    expect(gates).toMatchObject([{ command: 'a\nb' }]);
  });

  test('with one limit for all of them if one is slow', async ({ makeProject }) => {
    const { text = '', gates } = await planned(makeProject({ [PATH]: COMMENTED }), [
      gate('go vet ./...'),
      gate('go test ./...', { timeoutSeconds: 600 }),
    ]);
    expect(text).toMatch(/\n\nralph:\n {2}command_timeout: 600 /);
    expect(readByTrellis(text)).toEqual(['go vet ./...', 'go test ./...']);
    expect(gates).toMatchObject([{ timeoutSeconds: 600 }, { timeoutSeconds: 600 }]);
  });

  test('and remarks on a limit that is too short, but does not change it', async ({ makeProject }) => {
    const ralph = 'ralph:\n  max_iterations: 3\n';
    const { text, remarks } = await planned(makeProject({ [PATH]: ralph }), [
      gate('go test ./...', { timeoutSeconds: 600 }),
    ]);
    expect(text).toBe(`${ralph}verify:\n  - go test ./...\n`);
    expect(remarks).toEqual([
      '.trellis/worktree.yaml: a gate may take 600 s; set "command_timeout: 600" below "ralph:".',
    ]);
  });
});
