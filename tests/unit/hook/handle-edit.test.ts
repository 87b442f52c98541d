import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { triageEdit } from '../../../src/hook/triage.ts';
import { gitProject } from '../../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { hookAnswers, logOf, sessionOf } from '../../helpers/stops.ts';

const TEST = 'tests/cart.test.js';
const ADDS = "test('adds an item', () => {\n  expect(add([], 1)).toEqual([1]);\n});\n";
const REMOVES = "test('removes an item', () => {\n  expect(remove([1], 1)).toEqual([]);\n});\n";
const BOTH = ADDS + REMOVES;
const SKIPPED = BOTH.replace("test('adds", "test.skip('adds");
const NOTE =
  'ralph-loop: tests/cart.test.js:1: `adds an item` is skipped. A stop is blocked while a check is weaker than at the start. Restore it, or run: ralph-loop escalate "<reason>"';

const cartProject = (makeProject: MakeProject, ralph = '', files: Files = {}): Project =>
  gitProject(makeProject, {
    'worktree.yaml': worktreeYaml(['true'], ralph),
    'src/cart.js': 'export const add = (cart, item) => [...cart, item];\n',
    [TEST]: BOTH,
    ...files,
  });

/** What the hook answers after an edit in Claude Code. */
const afterEdit = (project: Project, input: unknown, more: object = {}, options = {}) =>
  hookAnswers(
    project,
    {
      hook_event_name: 'PostToolUse',
      session_id: sessionOf(project),
      cwd: project.root,
      tool_name: 'Edit',
      tool_input: typeof input === 'string' ? { file_path: project.path(input) } : input,
      ...more,
    },
    { ...options, env: { CLAUDECODE: '1', ...Object(options).env } },
  );
const noted = (note: unknown) => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note },
});
const noteOf = (answer: object): string => Object(answer).hookSpecificOutput?.additionalContext ?? '';

describe('after an edit that makes a test weaker, the agent reads a note', () => {
  test.for([
    { host: 'Claude Code', event: {}, env: {}, answer: noted(NOTE) },
    { host: 'Codex', event: { turn_id: 't' }, env: { CLAUDECODE: '' }, answer: noted(NOTE) },
    {
      host: 'Gemini CLI',
      event: { hook_event_name: 'AfterTool' },
      env: {},
      answer: { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: NOTE } },
    },
    {
      host: 'Copilot CLI',
      event: { timestamp: '2026-11-22T13:31:05.754Z' },
      env: { CLAUDECODE: '', COPILOT_CLI: '1' },
      answer: { additionalContext: NOTE, ...noted(NOTE) },
    },
    { host: 'Cursor, which drops it', event: { cursor_version: '3' }, env: {}, answer: {} },
  ])('in the form of $host', async ({ event, env, answer }, { makeProject }) => {
    const project = cartProject(makeProject);
    project.write({ [TEST]: SKIPPED });
    expect(await afterEdit(project, TEST, event, { env })).toEqual(answer);
  });

  test('once, until the test is as it was', async ({ makeProject }) => {
    const project = cartProject(makeProject);
    const edits = [SKIPPED, `// a line above\n${SKIPPED}`, BOTH, SKIPPED];
    const notes: string[] = [];
    for (const text of edits) {
      project.write({ [TEST]: text });
      notes.push(noteOf(await afterEdit(project, TEST)));
    }
    expect(notes).toEqual([NOTE, '', '', NOTE]);
    expect(logOf(project).map(({ answer, why }) => `${answer}: ${why}`)).toEqual(
      Array(2).fill('ignore: noted after an edit: 1 finding'),
    );
    expect(logOf(project)[0]).toMatchObject({ findings: [{ rule: 'test-skipped', path: TEST, line: 1 }] });
  });

  test('in each session', async ({ makeProject }) => {
    const project = cartProject(makeProject);
    project.write({ [TEST]: SKIPPED });
    await afterEdit(project, TEST);
    expect(await afterEdit(project, TEST, { session_id: 'another' })).toEqual(noted(NOTE));
  });

  test.for<{ how: string; input: (project: Project) => unknown; event?: (project: Project) => object }>([
    { how: 'relative', input: () => ({ file_path: TEST }) },
    {
      how: 'relative to a directory below the project',
      input: () => ({ file_path: '../tests/cart.test.js' }),
      event: ({ path }) => ({ cwd: path('src') }),
    },
    {
      how: 'in a link to the project',
      input: ({ home, root }) => {
        symlinkSync(root, `${home}/link`);
        return { file_path: `${home}/link/${TEST}` };
      },
    },
    {
      how: 'in a patch',
      input: () => ({ command: `*** Begin Patch\n*** Update File: ${TEST}\n@@\n-a\n+b\n*** End Patch` }),
    },
  ])('whatever form its path has: $how', async ({ input, event }, { makeProject }) => {
    const project = cartProject(makeProject);
    project.write({ [TEST]: SKIPPED });
    expect(await afterEdit(project, input(project), event?.(project))).toEqual(noted(NOTE));
  });

  test('that says what excuses a test that is gone', async ({ makeProject }) => {
    const project = cartProject(makeProject);
    project.write({ [TEST]: REMOVES });
    expect(noteOf(await afterEdit(project, TEST))).toMatch(
      /`adds an item` .* A test that is in another file at the stop does not count\. Restore it/,
    );
  });

  test('that does not speak of a block where findings only warn', async ({ makeProject }) => {
    const project = cartProject(makeProject, 'ralph:\n  integrity: warn\n');
    project.write({ [TEST]: SKIPPED });
    expect(await afterEdit(project, TEST)).toEqual(
      noted(
        'ralph-loop: tests/cart.test.js:1: `adds an item` is skipped. The person reads this at the stop.',
      ),
    );
  });
});

describe('the agent reads nothing, and nothing is logged, after an edit', () => {
  const skips = ({ write }: Project) => write({ [TEST]: SKIPPED });
  test.for<{
    what: string;
    ralph?: string;
    files?: Files;
    change: (project: Project) => void;
    input?: unknown;
    env?: object;
  }>([
    { what: 'that makes a test stronger', change: ({ write }) => write({ [TEST]: BOTH + ADDS }) },
    { what: 'of a file that is no test', change: skips, input: 'src/cart.js' },
    { what: 'of no file', change: skips, input: { command: 'sed -i s/test/test.skip/ tests/cart.test.js' } },
    { what: 'that removes a file', change: ({ path }) => rmSync(path(TEST)) },
    {
      what: 'that moves a file',
      change: ({ path }) => renameSync(path(TEST), path('tests/basket.test.js')),
      input: {
        command: `*** Begin Patch\n*** Update File: ${TEST}\n*** Move to: tests/basket.test.js\n*** End Patch`,
      },
    },
    {
      what: 'that moves a test to another file',
      change: ({ write }) => write({ [TEST]: REMOVES, 'tests/add.test.js': ADDS }),
      input: {
        command: `*** Begin Patch\n*** Update File: ${TEST}\n*** Add File: tests/add.test.js\n*** End Patch`,
      },
    },
    {
      what: 'that removes a test which an earlier edit has written to another file',
      change: ({ write }) => write({ [TEST]: REMOVES, 'tests/add.test.js': ADDS }),
    },
    { what: 'where `integrity` is `off`', ralph: 'ralph:\n  integrity: off\n', change: skips },
    { what: 'by an agent that a gate has started', change: skips, env: { RALPH_LOOP: '1' } },
    { what: 'in a project without a config', change: (p) => [skips(p), rmSync(p.path('worktree.yaml'))] },
    {
      what: 'in a Trellis project without a task',
      files: { '.trellis/worktree.yaml': 'verify:\n  - true\n' },
      change: (p) => [skips(p), rmSync(p.path('worktree.yaml'))],
    },
    { what: 'outside of git', change: (p) => [skips(p), rmSync(p.path('.git'), { recursive: true })] },
    {
      what: 'outside of the project',
      change: ({ home, root }) => symlinkSync(root, `${home}/tests`),
      input: { file_path: '/tmp/tests/cart.test.js' },
    },
    {
      what: 'of a directory',
      change: ({ path }) => [rmSync(path(TEST)), mkdirSync(path(TEST))],
    },
    { what: 'of a path with a NUL', change: skips, input: { file_path: 'tests/\0.test.js' } },
    { what: 'of a path that is no text', change: skips, input: { file_path: 7, path: [TEST] } },
  ])('$what', async ({ ralph, files, change, input = TEST, env = {} }, { makeProject }) => {
    const project = cartProject(makeProject, ralph, files);
    change(project);
    expect(await afterEdit(project, input, {}, { env })).toEqual({});
    expect(logOf(project)).toEqual([]);
  });
});

test.for([
  { tests: 'tests', text: '#[cfg(test)]\nmod tests {}\n', paths: ['src/lib.rs'] },
  { tests: 'asynchronous tests', text: '#[tokio::test]\nasync fn adds() {}\n', paths: ['src/lib.rs'] },
  { tests: 'no tests', text: '#[inline]\nfn add() {}\n', paths: undefined },
])(
  'a source file of Rust with $tests is compared after an edit: $paths',
  ({ text, paths }, { makeProject }) => {
    const { root } = cartProject(makeProject, '', { 'src/lib.rs': text });
    const event = { host: 'claude-code', name: 'PostToolUse', sessionId: 's', cwd: root } as const;
    const edit = { ...event, projectDirectories: [], paths: ['src/cart.js', 'src/lib.rs', 'src/none.rs'] };
    expect(triageEdit(edit, root, undefined)?.paths).toEqual(paths);
  },
);
