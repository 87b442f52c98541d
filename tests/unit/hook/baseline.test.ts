import { describe, expect } from 'vitest';
import { type Baseline, baselineText } from '../../../src/config/baseline.ts';
import { allFailures } from '../../../src/state/failures.ts';
import { gitProject } from '../../helpers/git-project.ts';
import { type MakeProject, type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { hookAnswers, logOf, mainStops } from '../../helpers/stops.ts';

const X = "src/a.ts(3,5): error TS2339: Property 'x' does not exist.";
const Y = "src/b.ts(3,5): error TS2339: Property 'y' does not exist.";

function known(...names: readonly ('x' | 'y')[]): Baseline {
  const failures = names.map((name) => ({
    kind: 'TS2339',
    file: name === 'x' ? 'src/a.ts' : 'src/b.ts',
    message: `error TS2339: Property '${name}' does not exist.`,
    count: 1,
  }));
  return new Map([['types', { exitCode: 2, reported: {}, failures }]]);
}

/** A project whose gate `types` prints the lines of `out.txt`, and exits with 2 if there are any. */
function project(
  makeProject: MakeProject,
  baseline: string | undefined,
  ...lines: readonly string[]
): Project {
  return gitProject(makeProject, {
    'worktree.yaml': worktreeYaml(
      ['{ name: types, run: "cat out.txt; [ ! -s out.txt ] || exit 2" }'],
      'ralph: { when: always }\n',
    ),
    'out.txt': lines.map((line) => `${line}\n`).join(''),
    ...(baseline !== undefined && { 'ralph-baseline.json': baseline }),
  });
}

/** The answer to Claude Code, which shows messages to the person. */
const stopAnswer = (made: Project) => hookAnswers(made, mainStops(made), { env: { CLAUDECODE: '1' } });

describe('a stop of a project with a baseline', () => {
  test('is allowed if all failures are known, and says how many', async ({ makeProject }) => {
    const made = project(makeProject, baselineText(known('x', 'y')), X, Y);
    const { decision, systemMessage } = await stopAnswer(made);
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(/^ralph-loop: 1 gate passed in .*, with 2 known failures$/);
    expect(logOf(made).at(-1)?.gates).toMatchObject([{ name: 'types', outcome: 'passed', known: 2 }]);
  });

  test('is blocked by a new failure, which alone is shown', async ({ makeProject }) => {
    const made = project(makeProject, baselineText(known('x')), X, Y);
    const { decision, reason } = await stopAnswer(made);
    expect(decision).toBe('block');
    expect(reason).toContain('src/b.ts(3,5)');
    expect(reason).not.toContain('src/a.ts');
    expect(reason).toContain('1 known failure is not shown (ralph-baseline.json).');
    const [failed] = allFailures(made.root)[0]?.gates ?? [];
    expect(failed?.errors).toEqual([expect.stringContaining("'y'")]);
    expect(JSON.stringify(failed)).not.toContain('src/a.ts');
  });

  test('names what is fixed, and how to remove it', async ({ makeProject }) => {
    const made = project(makeProject, baselineText(known('x', 'y')), X);
    const { systemMessage } = await stopAnswer(made);
    expect(systemMessage).toContain(
      '; 1 known failure of `types` is fixed: run `ralph-loop baseline --update`',
    );
  });

  test.for([
    ['a baseline that grew since the commit', known('x'), 1],
    ['a baseline that is not committed', undefined, 2],
  ] as const)('reports %s to the person', async ([, committed, count], { makeProject }) => {
    const made = project(makeProject, committed && baselineText(committed), X, Y);
    made.write({ 'ralph-baseline.json': baselineText(known('x', 'y')) });
    const { decision, systemMessage } = await stopAnswer(made);
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(
      new RegExp(`; ralph-baseline\\.json has ${count} known failures? that (is|are) not committed`),
    );
  });

  test('is blocked with the place of a merge conflict', async ({ makeProject }) => {
    const text = baselineText(known('x', 'y'));
    const made = project(makeProject, `<<<<<<< HEAD\n${text}=======\n>>>>>>> main\n`, X, Y);
    const { decision, reason } = await stopAnswer(made);
    expect(decision).toBe('block');
    expect(reason).toContain('ralph-baseline.json:1:1: found the mark of a merge conflict');
  });

  test('is allowed by a gate config too', async ({ makeProject }) => {
    const made = project(makeProject, baselineText(known('x')), X);
    const gates = [{ name: 'types', command: 'cat out.txt; exit 2' }];
    made.write({ 'gate.config.json': JSON.stringify({ gates }), 'worktree.yaml': 'other: 1\n' });
    expect((await stopAnswer(made)).decision).toBeUndefined();
  });
});
