import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { type Files, type Project, test } from '../helpers/project.ts';

const CLAUDE = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';
const SCRIPT = '.claude/hooks/ralph-loop.py';

const hook = (command: string, timeout?: number) => ({ type: 'command', command, timeout });
const written = (settings: object) => `${JSON.stringify(settings, null, 2)}\n`;

/** Trellis's settings: a hook of another event, and the one that ralph-loop replaces. */
function trellisSettings(python: string, timeout: number) {
  return {
    hooks: {
      SessionStart: [
        { matcher: 'startup', hooks: [hook(python.replace('ralph-loop', 'session-start'), 10)] },
      ],
      SubagentStop: [{ matcher: 'check', hooks: [hook(python, timeout)] }],
    },
  };
}

const PYTHON = `python3 ${SCRIPT}`;
const TRELLIS: Files = {
  [CLAUDE]: written(trellisSettings(PYTHON, 10)),
  [SCRIPT]: '',
  '.claude/hooks/session-start.py': '',
  '.trellis/worktree.yaml': 'verify:\n  - make\n',
};

/** Git as in a shell of the project. */
async function git(project: Project, cwd: string, ...args: string[]): Promise<void> {
  await execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    env: project.environment,
    extendEnv: false,
  });
}

async function run(project: Project, args: readonly string[], cwd = project.root): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(project, ['init', ...args], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

/** Adds a key to settings, as another person would. */
function edit(project: Project, path: string): void {
  project.write({ [path]: written({ ...JSON.parse(project.read(path)), model: 'x' }) });
}

describe.concurrent('init --uninstall', () => {
  test.for([
    ['Trellis installs it', PYTHON, 10],
    ['it was changed', 'python "$CLAUDE_PROJECT_DIR/.claude/hooks/ralph-loop.py"', 300],
  ] as const)(
    "restores Trellis's hook as %s, in settings that have changed since",
    async ([, python, timeout], { makeProject }) => {
      const settings = trellisSettings(python, timeout);
      const project = makeProject({ ...TRELLIS, [CLAUDE]: written(settings) });
      await run(project, ['--yes']);
      expect(project.read(CLAUDE)).not.toContain('ralph-loop.py');
      edit(project, CLAUDE);
      const said = await run(project, ['--uninstall', '--yes']);
      expect(said).toContain(`Trellis's own hook (${timeout} s) is back in ${CLAUDE}.\n`);
      expect(project.read(CLAUDE)).toBe(written({ ...settings, model: 'x' }));
    },
  );

  test("names Trellis's hook where it restores the file as it was", async ({ makeProject }) => {
    const project = makeProject(TRELLIS);
    await run(project, ['--yes']);
    const said = await run(project, ['--uninstall', '--yes']);
    expect(said).toContain(`Trellis's own hook (10 s) is back in ${CLAUDE}.\n`);
    expect(project.read(CLAUDE)).toBe(TRELLIS[CLAUDE]);
  });

  test("restores Trellis's hook in a clone and in a worktree, which have no record", async ({
    makeProject,
  }) => {
    const project = makeProject({ ...TRELLIS, 'worktree.yaml': 'verify: [make]\n' }, { git: false });
    await git(project, project.root, 'init', '--quiet');
    await run(project, ['--yes']);
    edit(project, CLAUDE);
    await git(project, project.root, 'add', '--all');
    await git(project, project.root, 'commit', '--quiet', '--message', 'set up');
    const [clone, worktree] = [join(project.home, 'a clone'), join(project.home, 'a tree')];
    await git(project, project.home, 'clone', '--quiet', project.root, clone);
    await git(project, project.root, 'worktree', 'add', '--quiet', '--detach', worktree);
    for (const cwd of [clone, worktree]) {
      expect(existsSync(join(cwd, '.trellis/.ralph-init.json'))).toBe(false);
      const said = await run(project, ['--uninstall', '--yes'], cwd);
      expect(said).toContain(`Trellis's own hook (10 s) is back in ${CLAUDE}.\n`);
      expect(said).toContain('.trellis/worktree.yaml is kept: Trellis reads its gates too.');
      expect(said).toMatch(/^worktree\.yaml is kept: remove it by hand/m);
      const { stdout } = await execa('cat', [join(cwd, CLAUDE)]);
      expect(JSON.parse(stdout)).toEqual({ ...trellisSettings(PYTHON, 10), model: 'x' });
      expect(await run(project, ['--uninstall', '--yes'], cwd)).toBe('Nothing to change.\n');
    }
  });

  test.for([
    [
      'calls Python as the other hooks do',
      'python "$CLAUDE_PROJECT_DIR/.claude/hooks/ralph-loop.py"',
      SCRIPT,
      true,
    ],
    ["does not restore Trellis's hook without its program", PYTHON, '.claude/hooks/other.py', false],
  ] as const)('without a record %s', async ([, python, script, isBack], { makeProject }) => {
    const settings = trellisSettings(python, 10);
    const project = makeProject({
      [CLAUDE]: written(settings),
      [script]: '',
      '.trellis/worktree.yaml': 'verify: [make]\n',
    });
    await run(project, ['--yes']);
    const clone = makeProject({ [CLAUDE]: project.read(CLAUDE), [script]: '' });
    await run(clone, ['--uninstall', '--yes']);
    const { SessionStart } = settings.hooks;
    expect(JSON.parse(clone.read(CLAUDE))).toEqual(isBack ? settings : { hooks: { SessionStart } });
  });

  test("restores nothing that was not there: a project that removed Trellis's hook before", async ({
    makeProject,
  }) => {
    const project = makeProject({ ...TRELLIS, [CLAUDE]: '{}\n' });
    await run(project, ['--yes']);
    edit(project, CLAUDE);
    await run(project, ['--uninstall', '--yes']);
    expect(project.read(CLAUDE)).toBe(written({ model: 'x' }));
  });

  test('keeps a second Python hook that was added since', async ({ makeProject }) => {
    const project = makeProject(TRELLIS);
    await run(project, ['--yes']);
    const settings = JSON.parse(project.read(CLAUDE));
    const own = { matcher: 'check', hooks: [hook(PYTHON, 20)] };
    settings.hooks.SubagentStop.push(own);
    project.write({ [CLAUDE]: written(settings) });
    await run(project, ['--uninstall', '--yes']);
    expect(JSON.parse(project.read(CLAUDE)).hooks.SubagentStop).toEqual([own]);
  });

  test.for([
    ['as its own init wrote it', [hook('npx ralph-gate --hook')]],
    ['in a group', [{ hooks: [hook('npx ralph-gate --hook', 300)] }]],
    ['beside another hook', [{ hooks: [hook('ralph-gate --verbose --hook'), hook('echo done')] }]],
  ] as const)(
    "init replaces Ralph Gate's hook in local settings %s, and --uninstall restores it",
    async ([, Stop], { makeProject }) => {
      const before = { permissions: { allow: ['a'] }, hooks: { Stop } };
      const project = makeProject({ [LOCAL]: written(before), 'gate.config.json': '{"gates":[]}' });
      const said = await run(project, ['--yes']);
      expect(said).toContain(`${LOCAL}: ralph-loop replaces Ralph Gate's own hook at Stop.`);
      expect(project.read(LOCAL)).not.toContain('ralph-gate');
      edit(project, LOCAL);
      const removed = await run(project, ['--uninstall', '--yes']);
      expect(removed).toContain(`is back in ${LOCAL}.`);
      const { hooks, ...rest } = JSON.parse(project.read(LOCAL));
      const flat = (groups: readonly object[]) =>
        groups.flatMap((group) => ('hooks' in group ? (group.hooks as object[]) : [group]));
      expect(rest).toEqual({ permissions: { allow: ['a'] }, model: 'x' });
      expect(new Set(flat(hooks.Stop).map((each) => JSON.stringify(each)))).toEqual(
        new Set(flat(Stop).map((each) => JSON.stringify(each))),
      );
    },
  );

  test('init removes a second hook of ralph-loop in local settings', async ({ makeProject }) => {
    const project = makeProject({
      [LOCAL]: written({ hooks: { Stop: [{ hooks: [hook('ralph-loop hook', 600)] }] } }),
      'worktree.yaml': 'verify: [make]\n',
    });
    expect(await run(project, ['--yes'])).toContain(`${LOCAL}: the hook of ralph-loop is removed`);
    expect(project.has(LOCAL)).toBe(false);
    const { stdout } = await ralphLoop(project, ['doctor']);
    expect(stdout).not.toMatch(/checked 2 times/);
  });

  test('asks in a terminal alone: without one, it needs --yes', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [make]\n' });
    await run(project, ['--yes']);
    const { exitCode, stderr } = await ralphLoop(project, ['init', '--uninstall']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Cannot ask without a terminal\. Use --yes to remove the setup, or --print/);
    expect(project.has(CLAUDE)).toBe(true);
  });

  test('changes nothing if one of the files is malformed, and names it', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [make]\n' });
    await run(project, ['--yes']);
    const broken = `${project.read(CLAUDE).trimEnd()},\n`;
    project.write({ [CLAUDE]: broken });
    const { exitCode, stderr } = await ralphLoop(project, ['init', '--uninstall', '--yes']);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`${CLAUDE}:`),
    });
    expect(stderr).toContain('Nothing was written.');
    expect(project.read(CLAUDE)).toBe(broken);
    expect(project.has('.trellis/.ralph-init.json')).toBe(true);
  });

  test('ignores a malformed file of another host that has nothing of ralph-loop', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': 'verify: [make]\n',
      '.gemini/settings.json': '{',
      'CLAUDE.md': '',
    });
    await run(project, ['--yes', '--host', 'claude']);
    await run(project, ['--uninstall', '--yes']);
    expect(project.has(CLAUDE)).toBe(false);
    expect(project.read('.gemini/settings.json')).toBe('{');
  });

  test.skipIf(!canBeOtherUser)('changes nothing in settings that are read-only', async ({ makeProject }) => {
    const project = makeProject({ [CLAUDE]: '{\n  "model": "x"\n}\n', 'worktree.yaml': 'verify: [make]\n' });
    await run(project, ['--yes']);
    const before = project.read(CLAUDE);
    makeReadOnly(project);
    for (const path of ['', '.claude']) chmodSync(project.path(path), 0o777);
    const { exitCode, stderr } = await ralphLoopAsOther(project, ['init', '--uninstall', '--yes']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${CLAUDE} cannot be written: it is read-only.`);
    expect(project.read(CLAUDE)).toBe(before);
  });

  test.for(['../outside', '/tmp/outside', 'a/../../outside'])(
    'does not follow a record that names the file %s',
    async (path, { makeProject }) => {
      // The digest is that of an empty text, so that the record would give the file a new content.
      const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      const before = { start: 0, removed: 'hostile', inserted: 0 };
      const record = { files: [{ path, sha256, before }], directories: [] };
      const project = makeProject({ '../outside': '', '.trellis/.ralph-init.json': JSON.stringify(record) });
      expect(await run(project, ['--uninstall', '--yes'])).toBe('Nothing to change.\n');
      expect(project.read('../outside')).toBe('');
    },
  );

  test('leaves no empty directories in a clone', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [make]\n' });
    await run(project, ['--yes']);
    const clone = makeProject({ [CLAUDE]: project.read(CLAUDE), '.gitignore': project.read('.gitignore') });
    await run(clone, ['--uninstall', '--yes']);
    expect([clone.has('.claude'), clone.has('.trellis'), clone.has('.gitignore')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
