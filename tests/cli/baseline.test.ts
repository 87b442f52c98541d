import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { inOwnNamespace, namespaceProblem } from '../helpers/own-namespace.ts';
import { type Files, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { hookAnswers, logOf, mainStops } from '../helpers/stops.ts';
import { canHaveTerminal } from '../helpers/terminal.ts';

const X = "src/a.ts(3,5): error TS2339: Property 'x' does not exist.\n";
const Y = "src/b.ts(3,5): error TS2339: Property 'y' does not exist.\n";

const TWO_GATES: Files = {
  'worktree.yaml': worktreeYaml([
    '{ name: types, run: "cat types.txt; [ ! -s types.txt ] || exit 2" }',
    '{ name: silent, run: "[ -e silent.ok ]" }',
  ]),
  'types.txt': X + Y,
  'silent.ok': '',
};

/** Runs commands in a terminal; in a namespace of its own, no process above is that of a host. */
async function inTerminal(project: Project, ...commands: readonly string[]): Promise<string> {
  const lines = commands.map(
    (command) => `script -qec '"${process.execPath}" "$RALPH_LOOP_BIN" ${command}; echo "exit $?"' /dev/null`,
  );
  return inOwnNamespace(project, lines.join('\n'));
}

const verify = (project: Project) => ralphLoop(project, ['verify', '--json']);
const gatesIn = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout).gates;

describe.skipIf(namespaceProblem() !== undefined || !canHaveTerminal)('baseline in a terminal', () => {
  test('records what fails, so that only new failures fail, and removes what is fixed', async ({
    makeProject,
  }) => {
    const project = makeProject(TWO_GATES);
    const printed = await inTerminal(project, 'baseline');
    expect(printed).toMatch(
      /types: 2 known failures \(2 added\)[\s\S]*Wrote ralph-baseline\.json.*Commit it[\s\S]*exit 0/,
    );
    const text = project.read('ralph-baseline.json');
    expect(text).not.toMatch(/\d{4}-\d\d|duration|\/home|\/tmp/);
    expect(await inTerminal(project, 'baseline')).toMatch(
      /ralph-baseline\.json is up to date\.[\s\S]*exit 0/,
    );
    expect(project.read('ralph-baseline.json')).toBe(text);
    expect(logOf(project).map(({ why }) => why)).toEqual(['baseline, in a terminal']);

    project.write({ 'types.txt': `\n${Y}${X.replace('3,5', '9,9')}` });
    const passed = await verify(project);
    expect(passed.exitCode).toBe(0);
    expect(gatesIn(passed)[0]).toMatchObject({ name: 'types', outcome: 'passed', known: 2 });

    project.write({ 'types.txt': Y + Y + X });
    const failed = await ralphLoop(project, ['verify']);
    expect([failed.exitCode, failed.stdout]).toEqual([1, expect.stringContaining('src/b.ts(3,5)')]);
    expect(failed.stdout).not.toContain('src/a.ts');
    expect(failed.stdout).toContain('known failures are not shown');

    project.write({ 'types.txt': Y });
    const fixed = await ralphLoop(project, ['verify']);
    expect(fixed.stdout).toContain('✓ types ');
    expect(fixed.stdout).toContain('1 known failure\n');
    expect(fixed.stdout).toContain('1 known failure of `types` is fixed: run `ralph-loop baseline --update`');
    expect((await ralphLoop(project, ['baseline', '--update'])).stdout).toContain(
      'types: 1 known failure (1 removed)',
    );
    expect(project.read('ralph-baseline.json')).not.toContain('src/a.ts');

    project.write({ 'types.txt': '' });
    const empty = await ralphLoop(project, ['baseline', '--update']);
    expect(empty.stdout).toContain('Removed ralph-baseline.json: no failure is known any more.');
    expect(project.has('ralph-baseline.json')).toBe(false);
  });

  test('names a gate that cannot be recorded, records the others, and exits with 1', async ({
    makeProject,
  }) => {
    const project = makeProject({
      ...TWO_GATES,
      'worktree.yaml': TWO_GATES['worktree.yaml']?.toString().replace('silent.ok', 'missing') ?? '',
    });
    const printed = await inTerminal(project, 'baseline');
    expect(printed).toMatch(/`silent` cannot be baselined: its output names no failures[\s\S]*exit 1/);
    const { gates } = JSON.parse(project.read('ralph-baseline.json'));
    expect(Object.keys(gates)).toEqual(['types']);
  });
});

describe('baseline in the shell of an agent', () => {
  const env = { CLAUDECODE: '1' };

  test('is refused, logged, and reported to the person', async ({ makeProject }) => {
    const project = makeProject(TWO_GATES);
    const run = await ralphLoop(project, ['baseline'], { env });
    expect([run.exitCode, run.stderr]).toEqual([1, expect.stringContaining('Only a person in a terminal')]);
    expect(project.has('ralph-baseline.json')).toBe(false);
    expect(logOf(project).at(-1)?.why).toBe("baseline refused, by an agent's shell (CLAUDECODE=1)");
    const { systemMessage } = await hookAnswers(project, mainStops(project), { env });
    expect(systemMessage).toContain(
      "`ralph-loop baseline` was run by an agent's shell (CLAUDECODE=1), and refused",
    );
  });

  test('--update adds nothing', async ({ makeProject }) => {
    const project = makeProject(TWO_GATES);
    const run = await ralphLoop(project, ['baseline', '--update'], { env });
    expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining('nothing to')]);
    expect(project.has('ralph-baseline.json')).toBe(false);
  });
});

describe('a broken baseline', () => {
  test.for(['verify', 'baseline'])('is an error of the config for %s', async (command, { makeProject }) => {
    const project = makeProject({ ...TWO_GATES, 'ralph-baseline.json': '{\n<<<<<<< HEAD\n' });
    const { exitCode, stderr } = await ralphLoop(project, [command]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('ralph-baseline.json:2:1: found the mark of a merge conflict');
  });
});
