import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished } from 'vitest';
import { BIN } from '../helpers/bin.ts';
import { git } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { type HookAnswer, logOf } from '../helpers/stops.ts';

/** Runs a hook for each line on stdin, `[environment, event]`, and prints its answer: as a host does, one process a session. */
const HOST = `
const { spawnSync } = require('node:child_process');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const event = JSON.parse(line);
  const { stdout } = spawnSync('/bin/sh', ['-c', '"$0" "$1" hook; exit $?', process.execPath, process.env.BIN], { input: JSON.stringify(event) });
  console.log(JSON.stringify(String(stdout)));
});
`;

interface Session {
  readonly prompts: () => Promise<HookAnswer>;
  readonly stops: () => Promise<HookAnswer>;
  /** Writes a file as the tool `Write` does, and reports it. */
  readonly writes: (file: string, text: string, as?: string) => Promise<HookAnswer>;
  readonly ends: () => void;
}

function sessionOf(project: Project, id: string): Session {
  const host = spawn(process.execPath, ['-e', HOST], {
    cwd: project.root,
    env: { ...project.environment, CLAUDECODE: '1', BIN },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    host.kill();
  });
  const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
  const fires = async (event: object, session = id): Promise<HookAnswer> => {
    host.stdin.write(`${JSON.stringify({ session_id: session, cwd: project.root, ...event })}\n`);
    const { value } = await lines.next();
    const answer = JSON.parse(value ?? '""');
    return answer === '' ? {} : JSON.parse(answer);
  };
  return {
    prompts: () => fires({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on' }),
    stops: () => fires({ hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' }),
    writes: (file, text, as = id) => {
      const before = project.has(file) ? project.read(file) : null;
      project.write({ [file]: text });
      const edit = {
        hook_event_name: 'PostToolUse',
        tool_name: 'Write',
        tool_input: { file_path: project.path(file), content: text },
        tool_response: { type: before === null ? 'create' : 'update', originalFile: before },
      };
      return fires(edit, as);
    },
    ends: () => host.kill('SIGKILL'),
  };
}

/** A gate that fails in each file whose text is `broken`, as a compiler reports it. */
const GATE =
  'for f in src/*.ts; do grep -q broken "$f" && echo "$f(1,7): error TS2322: Type string is not assignable to type number." && bad=1; done; test -z "$bad"';

async function twoSessions(makeProject: MakeProject) {
  const project = makeProject(
    {
      'worktree.yaml': worktreeYaml(
        [`{ name: types, run: ${JSON.stringify(GATE)} }`, '{ name: odd, run: "! grep -q odd src/*" }'],
        'ralph:\n  reuse: false\n',
      ),
      'src/a.ts': 'a\n',
      'src/b.ts': 'b\n',
    },
    { git: false },
  );
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  const [one, two] = [sessionOf(project, 'one'), sessionOf(project, 'two')];
  await one.prompts();
  await two.prompts();
  return { project, one, two };
}

describe.skipIf(process.platform !== 'linux')('a failure of another session', () => {
  test('is reported once, allows the stop then, and blocks the session whose it is', async ({
    makeProject,
  }) => {
    const { project, one, two } = await twoSessions(makeProject);
    await one.writes('src/a.ts', 'fine\n');
    await two.writes('src/b.ts', 'broken\n');
    expect((await one.stops()).reason).toContain('src/b.ts');
    const { decision, systemMessage } = await one.stops();
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(
      /not passed: `types` still fails .* another session has edited \(src\/b\.ts\)/,
    );
    expect(logOf(project).at(-1)).toMatchObject({ answer: 'allow', why: 'of-another-session' });
    // Also in the next turn.
    await one.prompts();
    await one.writes('src/a.ts', 'finer\n');
    expect((await one.stops()).decision).toBeUndefined();
    expect((await two.stops()).decision).toBe('block');
    expect((await two.stops()).decision).toBe('block');
  });

  interface Row {
    readonly what: string;
    readonly change: (both: Awaited<ReturnType<typeof twoSessions>>) => Promise<unknown> | unknown;
  }

  const ROWS: readonly Row[] = [
    {
      what: 'this session has broken the file too, with a command that no event reports',
      change: async ({ project, two }) => {
        await two.writes('src/b.ts', 'broken\n');
        project.write({ 'src/b.ts': 'broken by both\n' });
      },
    },
    {
      what: 'a command had changed the file before the other session edited it',
      change: async ({ project, two }) => {
        project.write({ 'src/b.ts': 'broken\n' });
        await two.writes('src/b.ts', 'broken again\n');
      },
    },
    {
      what: 'another file of the failure is that of this session',
      change: async ({ one, two }) => {
        await two.writes('src/b.ts', 'broken\n');
        await one.writes('src/a.ts', 'broken\n');
      },
    },
    {
      what: 'a gate behind it fails by the work of this session',
      change: async ({ one, two }) => {
        await two.writes('src/b.ts', 'broken\n');
        await one.writes('src/c.js', 'odd\n');
      },
    },
    {
      what: 'the other session has ended',
      change: async ({ two }) => {
        await two.writes('src/b.ts', 'broken\n');
        two.ends();
      },
    },
    {
      what: 'this session has reported its own edit in the name of the other one',
      change: ({ one }) => one.writes('src/b.ts', 'broken\n', 'two'),
    },
    {
      what: 'the record of the edits was changed',
      change: async ({ project, two }) => {
        await two.writes('src/b.ts', 'broken\n');
        const file = '@/turn-two.edits.json';
        project.write({ [file]: project.read(file).replace('"session":"two"', '"session":"tw0"') });
      },
    },
  ];

  test.for(ROWS)('blocks as before if $what', async ({ change }, { makeProject }) => {
    const both = await twoSessions(makeProject);
    await change(both);
    for (let stop = 1; stop <= 3; stop++) expect((await both.one.stops()).decision).toBe('block');
  });
});
