import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { transformSync } from 'rolldown/experimental';
import { describe, expect } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { isBlock } from '../../src/hosts/format.ts';
import { sampleStopOf } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { LAUNCHER } from '../../src/process/own-command.ts';
import { launcherText } from '../../src/setup/launcher.ts';
import { BIN, ralphLoop } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test } from '../helpers/project.ts';

const REPOSITORY = dirname(dirname(BIN));
const CONFIG = { 'worktree.yaml': 'verify:\n  - echo from the gate; exit 1\n' };
const PACKAGE = 'node_modules/ralph-loop-cli';

/** A package that prints where it was loaded, and its arguments. */
const packageIn = (directory: string, name = 'ralph-loop-cli'): Files => ({
  [join(directory, 'package.json')]: JSON.stringify({ name }),
  [join(directory, 'bin/ralph-loop.js')]:
    'exports.main = (argv) => console.log(JSON.stringify({ bin: __filename, argv: argv.slice(1) }));\n',
});

/** A project with the launcher and a config, and no program. */
const launcherProject = (makeProject: MakeProject, files: Files = {}): Project =>
  makeProject({ [LAUNCHER]: launcherText(), ...CONFIG, ...files });

/** Otherwise, all projects of the tests share a state directory, and the program that `init` records there. */
const OWN_STATE = { XDG_STATE_HOME: '' };

interface Call {
  readonly args?: readonly string[];
  readonly root?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly event?: object | string;
  readonly nodeOptions?: readonly string[];
}

function call(
  project: Project,
  { args = ['hook'], root = project.root, cwd = root, env = {}, event = STOP, nodeOptions = [] }: Call = {},
) {
  return execa(process.execPath, [...nodeOptions, join(root, LAUNCHER), ...args], {
    cwd,
    env: { ...project.environment, ...OWN_STATE, ...env },
    extendEnv: false,
    reject: false,
    input: typeof event === 'string' ? event : JSON.stringify(event),
  });
}

const STOP = { hook_event_name: 'Stop', session_id: 's' };

/** The answer of a call that must have succeeded; undefined if it is silent. */
async function answer(project: Project, options?: Call) {
  const { exitCode, stdout, stderr } = await call(project, options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout === '' ? undefined : JSON.parse(stdout);
}

describe.concurrent('the launcher loads the program', () => {
  interface Row {
    readonly where: string;
    readonly files: Files;
    /** The directory of the package, relative to the project. */
    readonly found: string;
    readonly env?: (project: Project) => Record<string, string>;
    readonly link?: readonly [target: string, path: string];
    readonly inside?: string;
  }
  const HOME = '../home';
  const shim = (line: string) => `#!/bin/sh\nbasedir=$(dirname "$0")\n${line}\n`;
  const pathOf = (directory: string) => (project: Project) => ({
    PATH: [project.path(directory), project.environment.PATH].join(':'),
  });

  const rows: Row[] = [
    { where: "the project's node_modules", files: packageIn(PACKAGE), found: PACKAGE },
    {
      where: 'a linked store',
      files: packageIn('node_modules/.pnpm/store/ralph-loop-cli'),
      link: ['.pnpm/store/ralph-loop-cli', PACKAGE],
      found: 'node_modules/.pnpm/store/ralph-loop-cli',
    },
    {
      where: 'the repository around the project',
      files: { ...packageIn(PACKAGE), [join('app', LAUNCHER)]: launcherText() },
      inside: 'app',
      found: PACKAGE,
    },
    {
      where: 'a workspace of the project',
      files: {
        ...packageIn(join('packages/a b', PACKAGE)),
        [LAUNCHER]: launcherText({
          kind: 'in-project',
          path: `packages/a b/${PACKAGE}/bin/ralph-loop.js`,
          isThere: true,
        }),
      },
      found: join('packages/a b', PACKAGE),
    },
    { where: 'the project, which is ralph-loop itself', files: packageIn('.'), found: '.' },
    {
      where: 'the dependencies of Plug’n’Play',
      files: {
        ...packageIn('.yarn/unplugged/ralph-loop-cli'),
        '.pnp.cjs': `let isSetUp = false;
exports.setup = () => { isSetUp = true; };
exports.resolveRequest = (request, issuer) => {
  if (issuer !== __dirname + '/') throw new Error('the issuer is not a directory of the project');
  if (request !== 'ralph-loop-cli/package.json') throw new Error('not exported');
  return __dirname + '/.yarn/unplugged/' + request;
};\n`,
      },
      found: '.yarn/unplugged/ralph-loop-cli',
    },
    {
      where: "npm's prefix, in the environment",
      files: packageIn('../npm/lib/node_modules/ralph-loop-cli'),
      env: (project) => ({ NPM_CONFIG_PREFIX: project.path('../npm') }),
      found: '../npm/lib/node_modules/ralph-loop-cli',
    },
    {
      where: "npm's prefix, in .npmrc",
      files: {
        ...packageIn(`${HOME}/.npm-global/lib/node_modules/ralph-loop-cli`),
        [`${HOME}/.npmrc`]: 'color=false\nprefix = ~/.npm-global\n',
      },
      found: `${HOME}/.npm-global/lib/node_modules/ralph-loop-cli`,
    },
    {
      where: 'a link on PATH',
      files: { ...packageIn('../global/lib'), '../global/bin/x': '' },
      link: ['../lib/bin/ralph-loop.js', '../global/bin/ralph-loop'],
      env: pathOf('../global/bin'),
      found: '../global/lib',
    },
    {
      where: "pnpm's script on PATH",
      files: {
        ...packageIn('../pnpm/global/5/node_modules/ralph-loop-cli'),
        '../pnpm/ralph-loop': shim(
          'exec node  "$basedir/global/5/node_modules/ralph-loop-cli/bin/ralph-loop.js" "$@"',
        ),
      },
      env: pathOf('../pnpm'),
      found: '../pnpm/global/5/node_modules/ralph-loop-cli',
    },
    {
      where: "Volta's directory",
      files: {
        ...packageIn('../volta/tools/image/packages/ralph-loop-cli/lib/node_modules/ralph-loop-cli'),
        '../volta/bin/ralph-loop': 'a binary',
      },
      env: pathOf('../volta/bin'),
      found: '../volta/tools/image/packages/ralph-loop-cli/lib/node_modules/ralph-loop-cli',
    },
  ];
  test.for(rows)('from $where', async ({ files, found, env, link, inside = '.' }, { makeProject }) => {
    const project = launcherProject(makeProject, files);
    if (link) symlinkSync(link[0], project.path(link[1]));
    const bin = join(project.path(found), 'bin/ralph-loop.js');
    const root = project.path(inside);
    // A host calls hooks in the directory where the agent works.
    project.write({ 'deep/down/x': '' });
    const loaded = await answer(project, {
      root,
      cwd: project.path('deep/down'),
      args: ['hook', '--deadline', '570'],
      ...(env && { env: env(project) }),
    });
    const [argument, ...args] = loaded.argv;
    expect({ bin: loaded.bin, args }).toEqual({ bin, args: ['hook', '--deadline', '570'] });
    expect(argument.endsWith('bin/ralph-loop.js')).toBe(true);
  });

  test.for([
    { where: 'a worktree', at: '.', add: ['worktree', 'add'] },
    { where: 'a worktree, for a project in a subdirectory', at: 'app', add: ['worktree', 'add'] },
    {
      where: 'a worktree with relative links',
      at: '.',
      add: ['-c', 'worktree.useRelativePaths=true', 'worktree', 'add'],
    },
  ])('of the main working tree in $where', async ({ at, add }, { makeProject }) => {
    const project = gitProject(makeProject, {
      [join(at, LAUNCHER)]: launcherText(),
      '.gitignore': 'node_modules\n',
    });
    project.write(packageIn(join(at, PACKAGE)));
    git(project, ...add, '-q', '-b', 'other', '../a worktree');
    const { bin } = await answer(project, { root: project.path(join('../a worktree', at)) });
    expect(bin).toBe(project.path(join(at, PACKAGE, 'bin/ralph-loop.js')));
  });

  test('of another worktree if the repository is bare', async ({ makeProject }) => {
    const source = gitProject(makeProject, { [LAUNCHER]: launcherText() });
    const project = makeProject({}, { git: false });
    git(project, 'clone', '-q', '--bare', source.root, '.bare');
    for (const name of ['one', 'two'])
      git(project, '-C', '.bare', 'worktree', 'add', '-q', '-b', name, `../${name}`);
    project.write(packageIn(join('one', PACKAGE)));
    const { bin } = await answer(project, { root: project.path('two') });
    expect(bin).toBe(project.path(join('one', PACKAGE, 'bin/ralph-loop.js')));
  });

  test('of the repository around a submodule', async ({ makeProject }) => {
    const source = gitProject(makeProject, { [LAUNCHER]: launcherText() });
    const project = gitProject(makeProject);
    git(project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.root, 'libs/sub');
    project.write(packageIn(PACKAGE));
    const { bin } = await answer(project, { root: project.path('libs/sub') });
    expect(bin).toBe(project.path(join(PACKAGE, 'bin/ralph-loop.js')));
  });

  test('that init ran in if there is no other', async ({ makeProject }) => {
    const project = makeProject(CONFIG);
    await ralphLoop(project, ['init', '--yes', '--host', 'claude-code'], { env: OWN_STATE });
    expect(await answer(project)).toEqual({
      decision: 'block',
      reason: expect.stringContaining('from the gate'),
    });
  });

  test('as it is started without the launcher: a worktree without node_modules is guarded', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, { ...CONFIG, '.gitignore': 'node_modules\n' });
    project.write({ 'node_modules/x': '' });
    symlinkSync(REPOSITORY, project.path(PACKAGE));
    await ralphLoop(project, ['init', '--yes', '--host', 'claude-code'], {
      env: { XDG_STATE_HOME: project.path('../elsewhere') },
    });
    git(project, 'add', '--all');
    git(project, 'commit', '-q', '-m', 'two');
    git(project, 'worktree', 'add', '-q', '../w');
    const root = project.path('../w');
    const { hooks } = JSON.parse(readFileSync(join(root, '.claude/settings.json'), 'utf8'));
    const { stdout } = await execa('/bin/sh', ['-c', hooks.Stop[0].hooks[0].command], {
      cwd: root,
      env: { ...project.environment, ...OWN_STATE, CLAUDE_PROJECT_DIR: root },
      extendEnv: false,
      input: JSON.stringify({ ...STOP, cwd: root }),
    });
    expect(JSON.parse(stdout)).toEqual({
      decision: 'block',
      reason: expect.stringContaining('from the gate'),
    });
  });
});

describe.concurrent('the launcher does not load', () => {
  test.for<[string, Files, ((project: Project) => Record<string, string>)?]>([
    ['a package above the repository', packageIn(join('..', PACKAGE))],
    ['another package of the name ralph-loop', packageIn('node_modules/ralph-loop', 'ralph-loop')],
    [
      'another program of the name ralph-loop on PATH',
      { '../bin/ralph-loop': 'exit 1', '../bin/ralph-loop-cli': 'exit 1' },
      (project) => ({ PATH: project.path('../bin') }),
    ],
    [
      'a program of the directory of the agent',
      { ...packageIn('lib'), 'ralph-loop': '"$basedir/lib/bin/ralph-loop.js"' },
      () => ({ PATH: '.:' }),
    ],
    ['the program of a repository inside the project', packageIn(join('vendor', PACKAGE))],
    [
      'dependencies that do not have it',
      { '.pnp.cjs': 'exports.resolveRequest = () => { throw new Error(); };\n' },
    ],
    ['broken dependencies', { '.pnp.cjs': '{' }],
  ])('%s', async ([, files, env], { makeProject }) => {
    const project = launcherProject(makeProject, files);
    const { reason } = await answer(project, env && { env: env(project) });
    expect(reason).toContain(`ralph-loop is not installed in ${project.root}.`);
  });
});

describe.concurrent('without a program, the launcher', () => {
  test.for(HOSTS)(
    'blocks one stop of $title, and allows the next with a message',
    async (host, { makeProject }) => {
      const project = launcherProject(makeProject);
      const { event, env } = sampleStopOf(host, 'main', project.root, project.root);
      const stop = { event, env, args: ['hook', '--host', host.name] };
      const first = await answer(project, stop);
      const text = `ralph-loop is not installed in ${project.root}. The stop cannot be verified. Run \`npm install --global ralph-loop-cli\`.`;
      expect(isBlock(JSON.stringify(first), host.name, text)).toBe(true);
      expect(Object.keys(first)).not.toContain('systemMessage');
      const second = await answer(project, stop);
      expect(second).toEqual(host.name === 'cursor' ? {} : { systemMessage: text });
      // Another session is blocked too.
      const other = JSON.parse(JSON.stringify(event).replaceAll('ralph-loop-doctor', 'other'));
      expect(isBlock(JSON.stringify(await answer(project, { ...stop, event: other })), host.name, text)).toBe(
        true,
      );
    },
  );

  test('blocks each subagent once, also if many stop at the same time', async ({ makeProject }) => {
    const project = launcherProject(makeProject);
    const stops = ['a', 'b', 'a', 'b', 'a', 'b'].map((agent_id) =>
      answer(project, {
        event: { hook_event_name: 'SubagentStop', session_id: 's', agent_type: 'check', agent_id },
      }),
    );
    const decisions = (await Promise.all(stops)).map(({ decision }) => decision);
    expect(decisions.filter((decision) => decision === 'block')).toHaveLength(2);
  });

  const TRELLIS = {
    '.trellis/worktree.yaml': 'verify:\n  - make\n',
    '.trellis/.current-task': 'tasks/x\n',
    'worktree.yaml': '',
  };
  const subagent = (agent_type: string) => ({ hook_event_name: 'SubagentStop', session_id: 's', agent_type });
  test.for<[string, 'blocks' | 'ignores', object | string, Files?]>([
    ["Trellis's check agent", 'blocks', subagent('check'), TRELLIS],
    [
      "Trellis's check agent, in older fields",
      'blocks',
      { ...subagent('x'), agent_type: undefined, subagent_type: 'check' },
      TRELLIS,
    ],
    ['another agent in a Trellis project', 'ignores', subagent('implement'), TRELLIS],
    ['the main agent in a Trellis project', 'ignores', STOP, TRELLIS],
    [
      'the check agent without a task',
      'ignores',
      subagent('check'),
      { ...TRELLIS, '.trellis/.current-task': '' },
    ],
    [
      'an agent that the config names',
      'blocks',
      subagent('review'),
      { 'worktree.yaml': 'verify: [a]\nralph:\n  agents:\n    - review\n' },
    ],
    [
      'an agent that the config does not name',
      'ignores',
      STOP,
      { 'worktree.yaml': 'verify: [a]\nralph:\n  agents: [review]\n  max_iterations: 3 # main\n' },
    ],
    ['a project with a gate config', 'blocks', STOP, { 'worktree.yaml': '', 'gate.config.json': '{}' }],
    ['an event with a byte order mark', 'blocks', `\uFEFF${JSON.stringify(STOP)}\n`],
    ['a prompt', 'ignores', { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'x' }],
    ["Copilot's stop of a subagent", 'ignores', { ...STOP, agent_id: 'a' }],
    [
      "Cursor's aborted turn",
      'ignores',
      { hook_event_name: 'stop', conversation_id: 'c', status: 'aborted' },
    ],
    ['an event that is not JSON', 'ignores', 'x'],
    ['an event that is null', 'ignores', 'null'],
    ['no event', 'ignores', ''],
  ])('with %s: %s the stop', async ([, effect, event, files], { makeProject }) => {
    const project = launcherProject(makeProject, files);
    const blocked = await answer(project, { event });
    expect(blocked?.decision).toBe(effect === 'blocks' ? 'block' : undefined);
    if (effect === 'ignores') expect(blocked).toBeUndefined();
  });

  test('ignores a project without a config, and an agent that a gate started', async ({ makeProject }) => {
    const project = makeProject({ [LAUNCHER]: launcherText() });
    expect(await answer(project)).toBeUndefined();
    project.write(CONFIG);
    expect(await answer(project, { env: { RALPH_LOOP: '1' } })).toBeUndefined();
  });

  const DEPENDS = { 'package.json': '{"devDependencies":{"ralph-loop-cli":"1"}}' };
  test.for<[string, Files, string]>([
    ['package-lock.json', { ...DEPENDS, 'package-lock.json': '' }, 'npm ci'],
    ['npm-shrinkwrap.json', { ...DEPENDS, 'npm-shrinkwrap.json': '' }, 'npm ci'],
    ['pnpm-lock.yaml', { ...DEPENDS, 'pnpm-lock.yaml': '' }, 'pnpm install'],
    ['yarn.lock', { ...DEPENDS, 'yarn.lock': '' }, 'yarn install'],
    ['bun.lock', { ...DEPENDS, 'bun.lock': '' }, 'bun install'],
    ['bun.lockb', { ...DEPENDS, 'bun.lockb': '' }, 'bun install'],
    ['a package.json alone', DEPENDS, 'npm install'],
    [
      'a package.json without ralph-loop',
      { 'package.json': '{}', 'package-lock.json': '' },
      'npm install --global ralph-loop-cli',
    ],
    ['no package.json', {}, 'npm install --global ralph-loop-cli'],
  ])('names the command that installs it with %s', async ([, files, command], { makeProject }) => {
    const { reason } = await answer(launcherProject(makeProject, files));
    expect(reason).toContain(`Run \`${command}\`.`);
  });

  test.for<[string, string, Call['args']]>([
    ['mcp', 'ralph-loop is not installed in ', ['mcp']],
    ['no command', 'ralph-loop is not installed in ', []],
  ])('exits with a message for %s', async ([, message, args], { makeProject }) => {
    const { exitCode, stdout, stderr } = await call(launcherProject(makeProject), { ...(args && { args }) });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${message}.*\\. Run \`.*\`\\.$`));
  });

  test('answers while stdin stays open', async ({ makeProject }) => {
    const project = launcherProject(makeProject);
    const hook = execa(process.execPath, [project.path(LAUNCHER), 'hook'], {
      cwd: project.root,
      env: { ...project.environment, ...OWN_STATE },
      extendEnv: false,
      stdin: 'pipe',
    });
    const text = JSON.stringify({ ...STOP, tool: { a: { b: 1 } } });
    hook.stdin.write(text.slice(0, text.indexOf('}') + 1));
    hook.stdin.write(text.slice(text.indexOf('}') + 1));
    expect(JSON.parse((await hook).stdout)).toMatchObject({ decision: 'block' });
  });

  test('counts in the temporary directory if there is no other, and blocks only what it can count', async ({
    makeProject,
  }) => {
    const project = launcherProject(makeProject, { '../home/.local': 'a file' });
    const decisions = async (event: object) => [
      (await answer(project, { event })).decision,
      (await answer(project, { event })).decision,
    ];
    expect(await decisions(STOP)).toEqual(['block', undefined]);
    const TMPDIR = project.path('../other');
    project.write({ '../other/x': '', 'target/x': '' });
    // Another user could have put the link there.
    symlinkSync(project.path('target'), join(TMPDIR, `ralph-loop-${process.getuid?.()}`));
    expect(
      (await answer(project, { event: { ...STOP, session_id: 't' }, env: { TMPDIR } })).decision,
    ).toBeUndefined();
  });

  test('reads no device and no pipe', async ({ makeProject }) => {
    const project = launcherProject(makeProject);
    symlinkSync('/dev/zero', project.path('.trellis/.current-task'));
    await execa('mkfifo', [project.path('../home/.npmrc')]);
    expect(await answer(project)).toMatchObject({ decision: 'block' });
  });
});

describe.concurrent('the launcher reports', () => {
  /** Blocked first, allowed then, with this text. */
  async function expectReport(project: Project, text: RegExp, options?: Call) {
    expect(await answer(project, options)).toEqual({
      decision: 'block',
      reason: expect.stringMatching(text),
    });
    expect(await answer(project, options)).toEqual({ systemMessage: expect.stringMatching(text) });
  }

  test.for<[string, (directory: string) => void, RegExp]>([
    ['without its files', () => {}, /^ralph-loop cannot be loaded: ENOENT.*main\.cjs/],
    [
      'with a file that is cut',
      (directory) => writeFileSync(join(directory, 'dist/program/main.cjs'), 'let a = {'),
      /^ralph-loop cannot be loaded: Unexpected token/,
    ],
    [
      'whose program throws',
      (directory) => writeFileSync(join(directory, 'bin/ralph-loop.js'), 'throw null;'),
      /^ralph-loop cannot be loaded: null/,
    ],
    [
      'whose program fails later',
      (directory) =>
        writeFileSync(
          join(directory, 'bin/ralph-loop.js'),
          'exports.main = async () => { throw new Error("a\\nb"); };',
        ),
      /^ralph-loop cannot be loaded: a\. The stop/,
    ],
    [
      'without its program',
      (directory) => writeFileSync(join(directory, 'bin/ralph-loop.js'), ''),
      /^ralph-loop cannot be loaded: program\.main is not a function/,
    ],
  ])('an installation %s', async ([, damage, text], { makeProject }) => {
    const project = launcherProject(makeProject, {
      ...packageIn(PACKAGE),
      [`${PACKAGE}/dist/program/x`]: '',
    });
    cpSync(BIN, project.path(`${PACKAGE}/bin/ralph-loop.js`));
    damage(project.path(PACKAGE));
    await expectReport(project, text);
  });

  /** A module that gives Node another version. */
  const pretend = (version: string): Files => ({
    '../node.cjs': `Object.defineProperty(process.versions, 'node', { value: '${version}' });\n`,
  });

  test.for(['12.22.12', '18.20.8', '20.11.1'])(
    'that Node %s is too old',
    async (version, { makeProject }) => {
      const project = launcherProject(makeProject, { ...pretend(version), 'node_modules/x': '' });
      symlinkSync(REPOSITORY, project.path(PACKAGE));
      const nodeOptions = ['--require', project.path('../node.cjs')];
      const text = `ralph-loop needs Node 20.12 or later; this is Node ${version}.`;
      await expectReport(project, new RegExp(`^${text} The stop cannot be verified\\.$`), { nodeOptions });
      for (const bin of [BIN, join(dirname(BIN), 'ralph-gate.js')]) {
        const { exitCode, stdout, stderr } = await execa(process.execPath, [...nodeOptions, bin, 'verify'], {
          cwd: project.root,
          reject: false,
        });
        expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: '', stderr: text });
      }
    },
  );

  test('nothing on Node 20.12, the version that package.json names', async ({ makeProject }) => {
    expect(packageJson.engines.node).toBe('>=20.12');
    const project = makeProject(pretend('20.12.0'));
    const args = ['--require', project.path('../node.cjs'), BIN, '--version'];
    expect((await execa(process.execPath, args)).stdout).toBe(packageJson.version);
  });
});

test.for(['ralph-hook.cjs', 'ralph-loop.js', 'ralph-gate.js'])('bin/%s has the syntax of Node 12', (name) => {
  const text = readFileSync(join(REPOSITORY, 'bin', name), 'utf8');
  const compiled = (target: string, code = text) =>
    transformSync(name, code, { target, sourceType: 'script' }).code;
  expect(compiled('es2019')).toBe(compiled('esnext'));
  expect(compiled('es2019', 'a?.b ?? c')).not.toBe(compiled('esnext', 'a?.b ?? c'));
});

test("this repository's own launcher is current", () => {
  expect(readFileSync(join(REPOSITORY, LAUNCHER), 'utf8')).toBe(launcherText());
});
