import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import {
  type Files,
  type MakeProject,
  type Project,
  test,
  trellisFiles,
  worktreeYaml,
} from '../../helpers/project.ts';
import {
  checkStops,
  type HookAnswer,
  hookAnswers,
  logOf,
  mainStops,
  sessionOf,
} from '../../helpers/stops.ts';

/** The hook of Claude Code, which shows its messages to the person. */
const claude = (env = {}) => ({ env: { CLAUDECODE: '1', ...env } });
const answers = (project: Project, event: object, env = {}): Promise<HookAnswer> =>
  hookAnswers(project, event, claude(env));
const prompts = (project: Project, env = {}) =>
  answers(project, mainStops(project, { hook_event_name: 'UserPromptSubmit', prompt: 'Fix it' }), env);
const recordFile = (project: Project) => `@/record-${sessionOf(project)}.json`;

// The recorded gate fails at first: only a gate that is judged as it was blocks the stop.
const RED = '{ name: test, run: "test -f green", timeout: 60 }';
const AND = (options: string) => `{ name: test, run: "test -f green", timeout: 60, ${options} }`;
const config = (...gates: string[]) => ({ 'worktree.yaml': worktreeYaml(gates) });

interface Row {
  readonly what: string;
  readonly before?: Files;
  readonly change: (project: Project) => void;
  /** In what the person reads when the recorded gates pass. */
  readonly shown: RegExp;
}

const rewrite =
  (...gates: string[]) =>
  ({ write }: Project) =>
    write(config(...gates));

const ROWS: readonly Row[] = [
  { what: 'removed', change: rewrite('{ name: lint, run: "true" }'), shown: /gate `test` is gone/ },
  { what: 'disabled', change: rewrite(AND('enabled: false')), shown: /gate `test` is gone/ },
  {
    what: 'commented out',
    change: ({ write }) => write({ 'worktree.yaml': `verify:\n#  - ${RED}\n  - 'true'\n` }),
    shown: /gate `test` is gone/,
  },
  {
    what: 'one of an empty list',
    change: ({ write }) => write({ 'worktree.yaml': 'verify: []\n' }),
    shown: /is gone/,
  },
  {
    what: 'in a config that is deleted',
    change: ({ path }) => rmSync(path('worktree.yaml')),
    shown: /`worktree.yaml` is gone, with 1 gate/,
  },
  {
    what: 'in a config that was moved',
    change: ({ path }) => renameSync(path('worktree.yaml'), path('worktree.yml')),
    shown: /`worktree.yaml` is gone/,
  },
  {
    what: 'in a config that another one precedes',
    change: ({ write }) =>
      write({ '.trellis/worktree.yaml': worktreeYaml(['true'], 'ralph:\n  agents: [main, check]\n') }),
    shown: /gate `test` is gone/,
  },
  {
    what: 'in a config that another one precedes which guards nobody',
    change: ({ write }) => write({ '.trellis/worktree.yaml': worktreeYaml([RED]) }),
    shown: /setting `agents` is weaker/,
  },
  {
    what: 'made non-blocking',
    change: rewrite(AND('blocking: false')),
    shown: /gate `test` no longer blocks/,
  },
  {
    what: 'given a longer timeout',
    change: rewrite('{ name: test, run: "test -f green", timeout: 600 }'),
    shown: /gate `test` has a longer timeout \(10 min 0 s, before: 1 min 0 s\)/,
  },
  {
    what: 'given another command',
    change: rewrite('{ name: test, run: "true", timeout: 60 }'),
    shown: /gate `test` runs `true` instead/,
  },
  {
    what: 'renamed and given another command',
    change: rewrite('{ name: tests, run: "test -f green || true" }'),
    shown: /gate `test` is gone/,
  },
  {
    what: 'given another PATH',
    change: rewrite(AND('env: { PATH: bin }')),
    shown: /another environment \(PATH\)/,
  },
  { what: 'run elsewhere', change: rewrite(AND('cwd: src')), shown: /runs in another directory/ },
  { what: 'limited to paths', change: rewrite(AND('paths: [none/**]')), shown: /runs for fewer files/ },
  { what: 'retried', change: rewrite(AND('retries: 9')), shown: /is retried more often \(9, before: 0\)/ },
  { what: 'allowed to run no test', change: rewrite(AND('allow_empty: true')), shown: /may run no test/ },
  {
    what: 'excused by known failures',
    change: ({ write }) =>
      write({
        'ralph-baseline.json': JSON.stringify({
          version: 1,
          gates: { test: { exit: 3, failures: [{ kind: 'error', message: 'x' }] } },
        }),
      }),
    shown: /has more known failures/,
  },
  {
    what: 'weakened in a gate config',
    before: { 'gate.config.json': JSON.stringify({ gates: [{ name: 'test', command: 'test -f green' }] }) },
    change: ({ write }) =>
      write({ 'gate.config.json': JSON.stringify({ gates: [{ name: 'test', command: 'true' }] }) }),
    shown: /gate\.config\.json:1: gate `test` runs `true` instead/,
  },
  {
    what: 'in a gate config that another one precedes',
    before: { '.gaterc': JSON.stringify({ gates: [{ name: 'test', command: 'test -f green' }] }) },
    change: ({ write }) =>
      write({ 'gate.config.json': JSON.stringify({ gates: [{ name: 'test', command: 'true' }] }) }),
    shown: /gate `test` runs `true` instead/,
  },
  {
    what: 'of another agent',
    change: ({ write }) => write({ 'worktree.yaml': worktreeYaml([RED], 'ralph:\n  agents: [check]\n') }),
    shown: /setting `agents` is weaker \(\["check"\], before: \["main","check","trellis-check"\]\)/,
  },
  {
    what: 'in a project without git',
    change: ({ path }) => rmSync(path('.git'), { recursive: true }),
    shown: /`\.git` is gone/,
  },
  {
    what: 'shadowed by a config below',
    change: ({ write }) => write({ 'sub/worktree.yaml': worktreeYaml(['true']) }),
    shown: /`sub\/worktree.yaml` is new/,
  },
  {
    what: 'shadowed by a new repository with a config',
    change: ({ write }) =>
      write({ 'sub/.git/HEAD': 'ref: refs/heads/x\n', 'sub/worktree.yaml': worktreeYaml(['true']) }),
    shown: /`sub\/worktree.yaml` is new/,
  },
];

/**
 * Stops in a directory of the project, first while the recorded gate fails, and then when it passes: what became weaker is
 * in what the agent or the person reads then.
 */
async function stopsTwice(project: Project, more: object = {}, env = {}) {
  const event = mainStops(project, { cwd: project.path('sub'), ...more });
  const red = await answers(project, event, env);
  expect(red.decision).toBe('block');
  expect(logOf(project).at(-1)?.gates).toContainEqual(expect.objectContaining({ outcome: 'failed' }));
  project.write({ green: '' });
  const { systemMessage = '', decision, reason = '' } = await answers(project, event, env);
  expect(logOf(project).at(-1)?.gates).not.toContainEqual(expect.objectContaining({ outcome: 'failed' }));
  return { decision, shown: decision === 'block' ? reason : systemMessage };
}

const started = async (project: Project) => {
  await prompts(project);
  return project;
};

describe('a gate is judged as it was when the session began, and the person reads the difference, if it is', () => {
  test.for(ROWS)('$what', async (row, { makeProject }) => {
    const { before = config(RED), change, shown } = row;
    const project = await started(makeProject({ 'sub/a.txt': '', ...before }));
    change(project);
    const later = await stopsTwice(project);
    expect(later.decision).toBe('block');
    expect(later.shown).toMatch(shown);
  });
});

test('the record of a session without a prompt is made at its first stop', async ({ makeProject }) => {
  const project = makeProject({ 'sub/a.txt': '', ...config(RED) });
  expect((await answers(project, mainStops(project))).decision).toBe('block');
  rewrite('{ name: test, run: "true" }')(project);
  expect((await stopsTwice(project)).shown).toContain('runs `true` instead');
});

describe('the gates of the session judge an agent', () => {
  test('that works outside of every project', async ({ makeProject }) => {
    const project = await started(makeProject({ 'sub/a.txt': '', ...config(RED) }));
    const { shown } = await stopsTwice(project, { cwd: project.home });
    expect(shown).toMatch(/^ralph-loop: 1 gate passed in [\d.]+ m?s$/);
  });

  test('that works in another repository which it has made, with a copy of the config', async ({
    makeProject,
  }) => {
    const project = await started(makeProject({ 'sub/a.txt': '', ...config(RED) }));
    const copy = makeProject({ ...config(RED), green: '' });
    expect((await stopsTwice(project, { cwd: copy.root })).shown).toContain('is new');
  });

  test('by the config of its package, if that was there before, which is reported once', async ({
    makeProject,
  }) => {
    const project = makeProject({ 'sub/worktree.yaml': worktreeYaml(['true']), ...config(RED) });
    // The clock of files is that of the kernel, which is late.
    await eventually('the config is older than the session', () => {
      const { ctimeMs } = statSync(project.path('sub/worktree.yaml'));
      return Date.now() - ctimeMs > 50;
    });
    await started(project);
    const event = mainStops(project, { cwd: project.path('sub') });
    expect((await answers(project, event)).systemMessage).toContain('where the session began, did not run');
    project.write({ 'sub/a.txt': '' });
    expect((await answers(project, event)).systemMessage).toMatch(/^ralph-loop: 1 gate passed in [^;]*$/);
  });

  test('that sets RALPH_LOOP', async ({ makeProject }) => {
    const project = await started(makeProject({ 'sub/a.txt': '', ...config(RED) }));
    await stopsTwice(project, {}, { RALPH_LOOP: '1' });
  });

  test('whose current task was emptied', async ({ makeProject }) => {
    const project = makeProject({ 'sub/a.txt': '', ...trellisFiles([RED]) });
    const event = checkStops(project);
    expect((await answers(project, event)).decision).toBe('block');
    project.write({ '.trellis/.current-task': '' });
    expect((await answers(project, event)).decision).toBe('block');
    project.write({ green: '' });
    const { systemMessage } = await answers(project, event);
    expect(systemMessage).toContain('the current task `.trellis/tasks/demo` is no longer set');
  });

  test('whose type the config does not guard any more', async ({ makeProject }) => {
    const own = (agents: string) => ({
      'worktree.yaml': worktreeYaml([RED], `ralph:\n  agents: ${agents}\n`),
    });
    const project = await started(makeProject({ 'sub/a.txt': '', ...own('[main, writer]') }));
    project.write(own('[main]'));
    const event = { hook_event_name: 'SubagentStop', agent_type: 'writer', agent_id: 'w' };
    expect((await stopsTwice(project, event)).shown).toContain('setting `agents` is weaker');
  });

  test('whose markers are fewer than those of its task were', async ({ makeProject }) => {
    const rows = (...reasons: string[]) =>
      reasons.map((reason) => `${JSON.stringify({ reason })}\n`).join('');
    const file = '.trellis/tasks/demo/check.jsonl';
    const project = makeProject({ '.trellis/.current-task': 'tasks/demo\n', [file]: rows('lint', 'test') });
    await answers(project, checkStops(project));
    project.write({ [file]: rows('lint') });
    const stop = checkStops(project, { last_assistant_message: 'LINT_FINISH' });
    expect((await answers(project, stop)).reason).toContain('TEST_FINISH');
  });
});

describe('settings that are weaker are judged as they were:', () => {
  test.for([
    { before: 'max_iterations: 3', after: 'max_iterations: 1' },
    { before: 'when: always', after: 'when: changed' },
    { before: 'reuse: false', after: 'reuse: true' },
    { before: 'integrity: block', after: 'integrity: off' },
    { before: 'integrity_rules: { test-skipped: block }', after: 'integrity_rules: { test-skipped: off }' },
    { before: 'markers: strict', after: 'markers: anywhere' },
  ])('$after', async ({ before, after }, { makeProject }) => {
    const own = (ralph: string) => ({ 'worktree.yaml': worktreeYaml([RED], `ralph:\n  ${ralph}\n`) });
    const project = await started(makeProject({ 'sub/a.txt': '', ...own(before) }));
    project.write(own(after));
    expect((await stopsTwice(project)).shown).toContain(`setting \`${after.split(':')[0]}\` is weaker`);
  });
});

describe('no difference is reported, and the present gate judges, if a gate is', () => {
  test.for<{ what: string; before?: Files; after: string }>([
    { what: 'renamed', after: worktreeYaml(['{ name: unit tests, run: "test -f green", timeout: 60 }']) },
    {
      what: 'given a shorter timeout',
      after: worktreeYaml(['{ name: test, run: "test -f green", timeout: 5 }']),
    },
    { what: 'made blocking', before: config(AND('blocking: false')), after: worktreeYaml([RED]) },
    { what: 'reordered', after: worktreeYaml(['{ name: lint, run: "true" }', RED]) },
    {
      what: 'reformatted',
      after:
        'ralph:\n  max_iterations: 9\nverify:\n  - name: "test"\n    run: >-\n      test -f green\n    timeout: 60 # s\n',
    },
    { what: 'no longer limited to paths', before: config(AND('paths: ["**"]')), after: worktreeYaml([RED]) },
    { what: 'no longer retried', before: config(AND('retries: 3')), after: worktreeYaml([RED]) },
    { what: 'described', after: worktreeYaml([AND('description: all tests, order: 7')]) },
  ])('$what', async (row, { makeProject }) => {
    const { before = config(RED), after } = row;
    const project = await started(makeProject({ 'sub/a.txt': '', ...before }));
    project.write({ 'worktree.yaml': after });
    const event = mainStops(project);
    await answers(project, event);
    project.write({ green: '' });
    expect((await answers(project, event)).systemMessage).toMatch(
      /^ralph-loop: [12] gates? passed in [\d.]+ m?s$/,
    );
  });
});

test('a gate that is new judges too', async ({ makeProject }) => {
  const project = await started(makeProject(config('{ name: test, run: "true" }')));
  rewrite('{ name: test, run: "true" }', '{ name: lint, run: "exit 7" }')(project);
  expect((await answers(project, mainStops(project))).reason).toContain('exit 7');
});

test('a config that is broken now blocks, and the recorded gates run as well', async ({ makeProject }) => {
  const project = await started(makeProject(config(RED)));
  project.write({ 'worktree.yaml': 'verify:\n  - rnu: x\n' });
  const { reason } = await answers(project, mainStops(project));
  expect(reason).toContain('rnu');
  expect(reason).toContain('test -f green');
  project.write({ green: '' });
  const { decision, reason: later } = await answers(project, mainStops(project));
  expect({ decision, later }).toEqual({ decision: 'block', later: expect.stringContaining('rnu') });
});

describe('a record that is', () => {
  test.for<{ what: string; change: (project: Project) => void }>([
    { what: 'deleted', change: (project) => rmSync(project.path(recordFile(project))) },
    { what: 'unsigned', change: (project) => project.write({ [recordFile(project)]: '{}' }) },
    {
      what: 'forged',
      change: (project) =>
        project.write({
          [recordFile(project)]: project.read(recordFile(project)).replace('test -f green', 'true'),
        }),
    },
  ])('$what is made anew, and the person reads that it was lost', async ({ change }, { makeProject }) => {
    const project = await started(makeProject({ 'sub/a.txt': '', ...config(RED) }));
    change(project);
    project.write({ green: '' });
    expect((await answers(project, mainStops(project))).systemMessage).toContain(
      'the record of the gates of this session was removed',
    );
    rewrite('{ name: test, run: "true" }')(project);
    expect((await answers(project, mainStops(project))).reason).toContain('runs `true` instead');
  });

  test('of another session does not judge this one', async ({ makeProject }) => {
    const project = await started(makeProject(config(RED)));
    rewrite('{ name: test, run: "true" }')(project);
    const other = mainStops(project, { session_id: `${sessionOf(project)}-b` });
    expect((await answers(project, other)).systemMessage).toMatch(
      /^ralph-loop: 1 gate passed in [\d.]+ m?s$/,
    );
  });
});

describe('a session id that another project of the same user has recorded', () => {
  /** The host's project is the one where it was started, wherever the agent goes. */
  const hostOf = (root: string) => ({ CLAUDE_PROJECT_DIR: root });
  const startedIn = async (project: Project) => {
    await prompts(project, hostOf(project.root));
    return project;
  };
  const stop = (project: Project, cwd: string) => mainStops(project, { cwd });

  test.for<{ what: string; files: Files; change?: (project: Project) => void; shown: unknown }>([
    {
      what: 'of a project with a config',
      files: { ...config(RED), green: '' },
      shown: { systemMessage: expect.stringMatching(/^ralph-loop: 1 gate passed in [^;]*$/) },
    },
    { what: 'of a project without a config', files: {}, shown: {} },
    {
      what: 'of a project with a config, where the other project is gone',
      files: { ...config(RED), green: '' },
      change: ({ root }) => rmSync(root, { recursive: true }),
      shown: { systemMessage: expect.stringMatching(/^ralph-loop: 1 gate passed in [^;]*$/) },
    },
  ])('does not judge a stop $what', async ({ files, change, shown }, { makeProject }) => {
    const other = await startedIn(makeProject(config(RED)));
    const own = makeProject(files);
    change?.(other);
    expect(await hookAnswers(own, stop(other, own.root), claude(hostOf(own.root)))).toEqual(shown);
  });

  test.for<{ what: string; host: (project: Project, makeProject: MakeProject) => string }>([
    { what: 'whose host reports the project itself', host: ({ root }) => root },
    { what: 'whose host reports a subfolder', host: ({ path }) => path('sub') },
    {
      what: 'whose host reports a worktree of the repository',
      host: (project, makeProject) => {
        const worktree = makeProject({}).root;
        rmSync(join(worktree, '.git'), { recursive: true });
        writeFileSync(join(worktree, '.git'), `gitdir: ${project.path('.git/worktrees/other')}\n`);
        return worktree;
      },
    },
    { what: 'whose host reports nothing', host: () => '' },
  ])('judges an agent in another directory, $what', async ({ host }, { makeProject }) => {
    const project = await startedIn(makeProject({ 'sub/a.txt': '', ...config(RED) }));
    const elsewhere = makeProject({ ...config(RED), green: '' });
    const { shown } = await stopsTwice(project, { cwd: elsewhere.root }, hostOf(host(project, makeProject)));
    expect(shown).toContain('is new');
  });

  test('judges an agent that has removed `.git` and the config', async ({ makeProject }) => {
    const project = await startedIn(makeProject({ 'sub/a.txt': '', ...config(RED) }));
    rmSync(project.path('.git'), { recursive: true });
    rmSync(project.path('worktree.yaml'));
    const { shown } = await stopsTwice(project, { cwd: project.home }, hostOf(project.root));
    expect(shown).toContain('`.git` is gone');
  });

  test('says nothing of a guard that was another project’s', async ({ makeProject }) => {
    const other = await startedIn(makeProject(config(RED)));
    await answers(other, mainStops(other), hostOf(other.root));
    rmSync(other.path('@'), { recursive: true });
    const own = makeProject({});
    expect(await hookAnswers(own, stop(other, own.root), claude(hostOf(own.root)))).toEqual({});
  });
});

test('the stop of an agent that a gate has started is judged by no record', async ({ makeProject }) => {
  const project = makeProject(config(RED));
  const env = { RALPH_LOOP: '1', RALPH_LOOP_PROJECTS: project.root };
  await answers(project, mainStops(project, { hook_event_name: 'UserPromptSubmit', prompt: 'x' }), env);
  expect(await answers(project, mainStops(project), env)).toEqual({});
  expect(project.has(recordFile(project))).toBe(false);
  expect(logOf(project).at(-1)?.why).toContain('a gate started the agent');
});
