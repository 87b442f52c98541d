import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { parse as parseToml } from 'smol-toml';
import { describe, expect } from 'vitest';
import { HOSTS } from '../../src/hosts/registry.ts';
import { LAUNCHER } from '../../src/process/own-command.ts';
import { BIN, ralphLoop } from '../helpers/bin.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { type Files, type Project, test } from '../helpers/project.ts';
import { hookAnswers, mainStops } from '../helpers/stops.ts';

/** A Node project with two scripts. */
const NODE: Files = {
  'package.json': `${JSON.stringify({ scripts: { lint: 'eslint .', test: 'node --test' } }, null, 2)}\n`,
  'package-lock.json': '{}\n',
};
const CLAUDE = '.claude/settings.json';

/** Runs `init`, expects an exit code, and returns the output. */
async function init(project: Project, args: readonly string[], exitCode = 0): Promise<string> {
  const run = await ralphLoop(project, ['init', ...args]);
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode });
  return run.stdout + run.stderr;
}

/** Returns every file below the root with its content, and every directory. */
function treeOf(project: Project, directory = '.'): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(project.path(directory)).toSorted()) {
    const path = join(directory, name);
    const stats = lstatSync(project.path(path));
    if (stats.isSymbolicLink()) tree[path] = 'a link';
    else if (stats.isDirectory()) Object.assign(tree, { [`${path}/`]: '' }, treeOf(project, path));
    else tree[path] = readFileSync(project.path(path), 'latin1');
  }
  return tree;
}

/** Where the hook of Claude Code finds the launcher, also in the hosts that run its hooks. */
const CLAUDE_LAUNCHER = `$\{CLAUDE_PROJECT_DIR:-$\{DEVIN_PROJECT_DIR:-.}}/.trellis/ralph-hook.cjs`;

/** Runs the command of a hook as a host does: in a shell, with the variable that names the project. */
async function fire(
  project: Project,
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> } = {
    cwd: project.home,
    env: { CLAUDE_PROJECT_DIR: project.root },
  },
): Promise<string> {
  const { stdout } = await execa('/bin/sh', ['-c', command], {
    cwd,
    env: { ...project.environment, ...env },
    extendEnv: false,
    input: JSON.stringify(mainStops(project)),
  });
  return stdout;
}

const hooksIn = (project: Project, path: string) => JSON.parse(project.read(path)).hooks;
const commandIn = (project: Project, event = 'Stop'): string =>
  hooksIn(project, CLAUDE)[event][0].hooks[0].command;

describe.concurrent('init --yes', () => {
  test.for<[string, (project: Project) => { cwd: string; env: Readonly<Record<string, string>> }]>([
    [
      'a host that sets the variable of Devin alone',
      ({ home, root }) => ({ cwd: home, env: { DEVIN_PROJECT_DIR: root } }),
    ],
    ['a host that sets no variable, in the root of the project', ({ root }) => ({ cwd: root, env: {} })],
  ])('writes hooks for Claude Code that start in %s', async ([, from], { makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes', '--host', 'claude-code', '--gates', 'false']);
    expect(JSON.parse(await fire(project, commandIn(project), from(project)))).toMatchObject({
      decision: 'block',
    });
  });

  test('writes gates, hooks and a .gitignore', async ({ makeProject }) => {
    const project = makeProject(NODE);
    const said = await init(project, ['--yes']);
    for (const path of ['worktree.yaml', CLAUDE, '.gitignore']) expect(said).toContain(`created  ${path}`);
    expect(project.read('worktree.yaml')).toContain('run: npm run lint');
    expect(project.read('.gitignore')).toBe('.trellis/.ralph*\n');
    const { Stop, SubagentStop } = hooksIn(project, CLAUDE);
    expect(SubagentStop[0].matcher).toBe('check|trellis-check');
    expect([Stop, SubagentStop].map(([group]) => group.hooks[0].timeout)).toEqual([600, 600]);
    expect(commandIn(project)).toMatch(/^node ".*" hook --deadline 570$/);
  });

  test('installs a hook that blocks a stop', async ({ makeProject }) => {
    const project = makeProject();
    await init(project, ['--yes', '--gates', 'echo "Error: boom"; exit 1']);
    expect(JSON.parse(await fire(project, commandIn(project)))).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('Error: boom'),
    });
  });

  test.for(HOSTS)('changes nothing the second time for $name', async ({ name }, { makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes', '--host', name]);
    const before = treeOf(project);
    expect(await init(project, ['--yes', '--host', name])).toContain('Nothing to change');
    expect(treeOf(project)).toEqual(before);
  });

  test.for(HOSTS)(
    'and --uninstall restore every file for $name',
    async ({ name, hookFile }, { makeProject }) => {
      const settings = hookFile.form === 'grouped' ? '{\n    "model": "x", "hooks": {}\n}' : '';
      const project = makeProject({
        ...NODE,
        '.gitignore': 'dist\nnode_modules',
        ...(settings && { [hookFile.path]: settings }),
      });
      const before = treeOf(project);
      await init(project, ['--yes', '--host', name, '--gates', 'false']);
      // The hook has been called since, and has written its state and its log.
      await hookAnswers(project, mainStops(project));
      expect(project.has('.trellis/.ralph/log.jsonl')).toBe(true);
      expect(await init(project, ['--uninstall', '--yes'])).not.toContain('is kept');
      expect(treeOf(project)).toEqual(before);
    },
  );

  test('uses the gates of --gates, names and commands', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes', '--gates', 'lint', 'make check']);
    expect(project.read('worktree.yaml')).toMatch(/npm run lint[\s\S]*make check/);
    expect(project.read('worktree.yaml')).not.toContain('npm test');
  });

  test('does not change a config that has gates', async ({ makeProject }) => {
    const config = '# mine\nverify: [make]\n';
    const project = makeProject({ ...NODE, 'worktree.yaml': config });
    await init(project, ['--yes']);
    expect(project.read('worktree.yaml')).toBe(config);
  });

  test.for([
    [
      'whose verify is commented out',
      'worktree_dir: ../trees\nverify:\n  # - pnpm lint\n',
      '  - npm run lint\n  - npm test\n',
    ],
    ['without verify', 'worktree_dir: ../trees\n', 'verify:\n  - npm run lint\n  - npm test\n'],
  ] as const)('proposes gates to a Trellis project %s', async ([, config, added], { makeProject }) => {
    const project = makeProject({
      ...NODE,
      '.trellis/worktree.yaml': config,
      '.trellis/.current-task': 'tasks/a',
    });
    expect(await init(project, ['--yes'])).toContain('  npm run lint\n');
    const text = `${config}${added}\nralph:\n  command_timeout: 300 # seconds, for each gate\n`;
    expect(project.read('.trellis/worktree.yaml')).toBe(text);
    await init(project, ['--uninstall', '--yes']);
    expect(project.read('.trellis/worktree.yaml')).toBe(config);
  });

  test('sets up a Trellis project without gates, whose tasks have markers', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/worktree.yaml': 'verify:\n' });
    await init(project, ['--yes']);
    expect(project.read('.trellis/worktree.yaml')).toBe('verify:\n');
    expect(commandIn(project, 'SubagentStop')).toContain(' hook');
  });

  test('shows the gates that it writes, with their commands', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, 'api/go.mod': '' });
    const gates =
      'Gates, cheap ones first:\n  api/format: ! gofmt -l . | grep ., in api\n  lint: npm run lint\n  api/vet: ';
    expect(await init(project, ['--print'])).toContain(gates);
    expect(await init(project, ['--yes'])).toContain(gates);
    expect(project.read('worktree.yaml')).toContain('run: go vet ./...\n    cwd: api\n');
  });

  test('replaces the gates if --gates is given', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml':
        '# mine\nother: 1\nverify:\n  - make # slow\n\n# limits\nralph:\n  max_iterations: 3\n',
    });
    await init(project, ['--yes', '--gates', 'npm test']);
    expect(project.read('worktree.yaml')).toBe(
      '# mine\nother: 1\nverify:\n  - npm test\n\n# limits\nralph:\n  max_iterations: 3\n',
    );
  });

  test.for([
    ['Windows line ends', 'verify:\r\n  - make\r\nother: 1\r\n', 'verify:\r\n  - npm test\r\nother: 1\r\n'],
    ['a list in brackets', 'verify: [\n  make,\n]\nother: 1\n', 'verify:\n  - npm test\nother: 1\n'],
  ] as const)('in a file with %s', async ([, before, after], { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': before });
    await init(project, ['--yes', '--gates', 'npm test']);
    expect(project.read('worktree.yaml')).toBe(after);
  });

  test('installs no second hook if one host runs the hooks of another', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes', '--host', 'copilot']);
    expect(project.has('.github/hooks/ralph-loop.json')).toBe(true);
    const said = await init(project, ['--yes', '--host', 'claude-code,copilot,cursor']);
    expect(project.has('.github/hooks/ralph-loop.json')).toBe(false);
    expect(project.has('.cursor/hooks.json')).toBe(false);
    expect(said).toContain(`Cursor also runs the hooks of ${CLAUDE}`);
  });

  test('installs no second hook if Claude Code is added later or was there before', async ({
    makeProject,
  }) => {
    const project = makeProject({ ...NODE, [CLAUDE]: '\uFEFF{}\n' });
    await init(project, ['--yes', '--host', 'copilot,cursor']);
    await init(project, ['--yes', '--host', 'claude-code']);
    expect(project.has('.github/hooks/ralph-loop.json')).toBe(false);
    expect(project.has('.cursor/hooks.json')).toBe(false);
    await init(project, ['--yes', '--host', 'copilot']);
    expect(project.has('.github/hooks/ralph-loop.json')).toBe(false);
  });

  test("replaces Trellis's Python hook, and reports it", async ({ makeProject }) => {
    const settings = {
      hooks: {
        SubagentStop: [
          {
            matcher: 'check',
            hooks: [{ type: 'command', command: 'python3 .claude/hooks/ralph-loop.py', timeout: 10 }],
          },
        ],
      },
    };
    const project = makeProject({
      [CLAUDE]: JSON.stringify(settings, null, 2),
      '.trellis/worktree.yaml': 'verify:\n  - make\n',
      '.trellis/.current-task': 'tasks/demo\n',
    });
    const said = await init(project, ['--yes']);
    expect(said).toMatch(/replaces Trellis's ralph-loop\.py at SubagentStop, whose timeout of 10 s/);
    const { Stop, SubagentStop } = hooksIn(project, CLAUDE);
    expect(Stop).toBeUndefined();
    expect(SubagentStop).toMatchObject([{ matcher: 'check', hooks: [{ timeout: 600 }] }]);
    expect(SubagentStop[0].hooks[0].command).not.toContain('ralph-loop.py');
    await init(project, ['--uninstall', '--yes']);
    expect(JSON.parse(project.read(CLAUDE))).toEqual(settings);
  });

  const INSTALLED = 'node_modules/ralph-loop-cli/bin/ralph-loop.js';
  test.for<[string, Files, RegExp | undefined, string?]>([
    ['the project', { [INSTALLED]: '' }, undefined],
    [
      'the repository around it',
      { [INSTALLED]: '', 'app/worktree.yaml': 'verify: [make]\n' },
      undefined,
      'app',
    ],
    ['itself', { 'package.json': '{"name":"ralph-loop-cli"}', 'bin/ralph-loop.js': '' }, undefined],
    [
      'the dependencies of Plug’n’Play',
      { 'package.json': '{"devDependencies":{"ralph-loop-cli":"1"}}', '.pnp.cjs': '' },
      undefined,
    ],
    [
      'the dependencies',
      { 'package.json': '{"devDependencies":{"ralph-loop-cli":"1"}}' },
      /is not installed yet/,
    ],
    [
      'the dependencies at run time',
      { 'package.json': '{"dependencies":{"ralph-loop-cli":"1"}}' },
      /is not installed yet/,
    ],
    ['a repository that is not around it', { [`vendor/${INSTALLED}`]: '' }, /exists on this machine only/],
    ['no place', {}, /exists on this machine only/],
  ])(
    'says where the hooks find ralph-loop, which is in %s',
    async ([, files, remark, app = '.'], { makeProject }) => {
      const project = makeProject(files);
      const { stdout } = await ralphLoop(project, ['init', '--yes', '--gates', 'make'], {
        cwd: project.path(app),
        env: { XDG_STATE_HOME: '' },
      });
      if (remark) expect(stdout).toMatch(remark);
      else expect(stdout).not.toMatch(/is not installed|exists on/);
      const { hooks } = hooksIn(project, join(app, CLAUDE)).Stop[0];
      expect(hooks[0].command).toBe(`node "${CLAUDE_LAUNCHER}" hook --deadline 570`);
      // Only a program that nothing else leads to is recorded.
      const record = '../home/.local/state/ralph-loop/program';
      expect(project.has(record)).toBe(remark?.source.includes('machine') ?? false);
    },
  );

  test('names the directory of a workspace that has ralph-loop in the launcher', async ({ makeProject }) => {
    const project = makeProject({ [`packages/a/${INSTALLED}`]: '', 'worktree.yaml': 'verify: [make]\n' });
    await ralphLoop(project, ['init', '--yes'], { cwd: project.path('packages/a') });
    expect(project.read(LAUNCHER)).toContain('INSTALLED_IN = "packages/a";');
    const { stdout } = await ralphLoop(project, ['doctor'], { cwd: project.path('packages/a') });
    expect(stdout).not.toContain('outdated');
  });

  test('rewrites an older launcher, and --uninstall removes it also in a clone', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes']);
    const current = project.read(LAUNCHER);
    project.write({ [LAUNCHER]: current.replace('findBin', 'find') });
    expect((await ralphLoop(project, ['doctor'])).stdout).toContain(`${LAUNCHER} is outdated.`);
    expect(await init(project, ['--yes'])).toContain(`changed  ${LAUNCHER}`);
    expect(project.read(LAUNCHER)).toBe(current);
    project.write({ [LAUNCHER]: current.replaceAll('\n', '\r\n') });
    expect((await ralphLoop(project, ['doctor'])).stdout).not.toContain('is outdated');
    const clone = makeProject({ [LAUNCHER]: current, [CLAUDE]: project.read(CLAUDE) });
    await init(clone, ['--uninstall', '--yes']);
    expect([clone.has(LAUNCHER), clone.has(CLAUDE)]).toEqual([false, false]);
  });

  test('--uninstall keeps a file of another program in place of the launcher', async ({ makeProject }) => {
    const project = makeProject({ [LAUNCHER]: '// mine\n' });
    await init(project, ['--uninstall', '--yes']);
    expect(project.read(LAUNCHER)).toBe('// mine\n');
  });

  test.for(['node_modules/ralph-loop/bin/ralph-loop.js', INSTALLED])(
    'replaces a hook that starts %s',
    async (file, { makeProject }) => {
      const command = `node "$CLAUDE_PROJECT_DIR/${file}" hook --deadline 900`;
      const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command, timeout: 1000 }] }] } };
      const project = makeProject({ ...NODE, [CLAUDE]: JSON.stringify(settings) });
      await init(project, ['--yes']);
      const { Stop } = hooksIn(project, CLAUDE);
      expect(Stop).toHaveLength(1);
      expect(Stop[0].hooks).toEqual([
        {
          type: 'command',
          command: `node "${CLAUDE_LAUNCHER}" hook --deadline 900`,
          timeout: 1000,
        },
      ]);
    },
  );

  test.for([
    ['claude-code', '.mcp.json', '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n'],
    ['gemini', '.gemini/settings.json', '{\n  // mine\n  "mcpServers": {\n    "other": {}\n  }\n}\n'],
    ['codex', '.codex/config.toml', 'model = "x"\n\n[mcp_servers.other]\ncommand = "x"\n'],
    ['cursor', '.cursor/mcp.json', undefined],
  ] as const)('--mcp names the server to %s, and back', async ([host, path, settings], { makeProject }) => {
    const project = makeProject({ ...NODE, ...(settings && { [path]: settings }) });
    const before = treeOf(project);
    const args = ['--yes', '--host', host, '--mcp'];
    await init(project, args);
    expect(project.read(path)).toMatch(/ralph-loop[\s\S]* mcp",\s*"\.trellis\/ralph-hook\.cjs"/);
    expect(await init(project, args)).toContain('Nothing to change');
    // Without its record, only what is ours goes.
    const written = project.read(path);
    await init(project, ['--uninstall', '--yes']);
    expect(treeOf(project)).toEqual(before);
    const clone = makeProject({ [path]: written });
    await init(clone, ['--uninstall', '--yes']);
    expect(clone.has(path) ? clone.read(path) : undefined).toBe(settings);
  });

  test.for([
    ['claude-code', '.mcp.json', (text: string) => JSON.parse(text).mcpServers],
    ['codex', '.codex/config.toml', (text: string) => parseToml(text).mcp_servers],
  ] as const)(
    '--mcp registers a server that %s can start in a subdirectory too',
    async ([host, path, serversIn], { makeProject }) => {
      const project = makeProject({ ...NODE, 'below/it/a.js': '', 'node_modules/.package-lock.json': '{}' });
      symlinkSync(dirname(dirname(BIN)), project.path('node_modules/ralph-loop-cli'));
      await init(project, ['--yes', '--host', host, '--mcp']);
      const { command, args } = serversIn(project.read(path))['ralph-loop'];
      for (const directory of ['.', 'below/it']) {
        const { exitCode, stderr } = await execa(command, args, {
          cwd: project.path(directory),
          env: project.environment,
          extendEnv: false,
          // A server ends with its stdin.
          stdin: 'ignore',
          reject: false,
        });
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      }
    },
  );

  test('--uninstall ignores other MCP servers, even invalid ones', async ({ makeProject }) => {
    const broken = { '.mcp.json': '{', '.codex/config.toml': '[' };
    const project = makeProject({ ...NODE, ...broken });
    const before = treeOf(project);
    await init(project, ['--yes', '--host', 'claude-code']);
    await init(project, ['--uninstall', '--yes']);
    expect(treeOf(project)).toEqual(before);
  });

  test('installs no hooks if the plugin is enabled', async ({ makeProject }) => {
    const settings = '{\n  "enabledPlugins": {\n    "ralph-loop@ralph-loop": true\n  }\n}\n';
    const project = makeProject({ ...NODE, [CLAUDE]: settings });
    expect(await init(project, ['--yes'])).toContain('enables the plugin');
    expect(project.read(CLAUDE)).toBe(settings);
    const { stdout } = await ralphLoop(project, ['doctor']);
    expect(stdout).toContain(`${CLAUDE} enables the plugin.`);
  });

  test('does not treat a program on the PATH of npx as installed', async ({ makeProject }) => {
    const project = makeProject();
    const [lasting, passing] = [`${project.home}/bin`, `${project.home}/node_modules/.bin`];
    for (const directory of [lasting, passing]) {
      mkdirSync(directory, { recursive: true });
      symlinkSync(BIN, `${directory}/ralph-loop-cli`);
    }
    const args = ['init', '--yes', '--gates', 'make'];
    const withPath = (directory: string) => ({
      env: { PATH: `${directory}:${project.environment.PATH}` },
    });
    expect((await ralphLoop(project, args, withPath(passing))).stdout).toContain(
      'exists on this machine only',
    );
    expect((await ralphLoop(project, args, withPath(lasting))).stdout).toContain('is installed for you');
  });

  test('sets the hook timeout for slow gates', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - { run: make, timeout: 1200 }\n' });
    await init(project, ['--yes']);
    const [{ hooks }] = hooksIn(project, CLAUDE).Stop;
    expect(hooks[0]).toMatchObject({ command: expect.stringMatching(/--deadline 1230$/), timeout: 1260 });
  });

  test('binds the hook to the names of the agents in the config', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': 'verify: [make]\nralph: { agents: [check, "c++ (v2)"] }\n',
    });
    await init(project, ['--yes']);
    const { Stop, SubagentStop } = hooksIn(project, CLAUDE);
    expect(Stop).toBeUndefined();
    expect(SubagentStop[0].matcher).toBe('check|c\\+\\+ \\(v2\\)');
  });

  test('prints the paths that it writes, relative to a subdirectory', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, 'packages/app/package.json': '{}' });
    const run = await ralphLoop(project, ['init', '--yes'], { cwd: project.path('packages/app') });
    expect(run.stdout).toContain(`In ${project.root}, the root of the git repository:`);
    expect(project.has(CLAUDE)).toBe(true);
    expect(readdirSync(project.path('packages/app'))).toEqual(['package.json']);
    // Now the config determines the root, not the repository.
    const again = await ralphLoop(project, ['init', '--yes'], { cwd: project.path('packages/app') });
    expect(again.stdout).toContain(`In ${project.root}, whose config guards this directory:`);
  });

  test('prints each change with --print, and writes nothing', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, [CLAUDE]: '{\n  "model": "x"\n}\n' });
    const before = treeOf(project);
    const said = await init(project, ['--print']);
    expect(said).toContain('--- /dev/null\n+++ b/worktree.yaml');
    expect(said).toContain(`--- a/${CLAUDE}\n+++ b/${CLAUDE}`);
    expect(said).toContain('+  "hooks": {');
    expect(said).toContain('Nothing was written.');
    expect(treeOf(project)).toEqual(before);
    await init(project, ['--yes']);
    expect(await init(project, ['--uninstall', '--print'])).toContain('+++ /dev/null');
    expect(project.has('worktree.yaml')).toBe(true);
  });
});

test('init --print prints a diff that git can apply, with any line ends', async ({ makeProject }) => {
  const project = makeProject({ ...NODE, [CLAUDE]: '{\r\n  "model": "x"\r\n}\r\n', '.gitignore': 'dist' });
  const input = await init(project, ['--print']);
  await execa('git', ['apply'], {
    cwd: project.root,
    env: project.environment,
    extendEnv: false,
    input,
  });
  expect(await init(project, ['--yes'])).toContain('Nothing to change');
});

describe.concurrent('init --uninstall', () => {
  test('removes only its own entries from files that were changed since', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.gitignore': 'dist\n' });
    await init(project, ['--yes']);
    const settings = JSON.parse(project.read(CLAUDE));
    project.write({
      [CLAUDE]: JSON.stringify({ ...settings, model: 'x' }, null, 2),
      '.gitignore': `${project.read('.gitignore')}more\n`,
      'worktree.yaml': `${project.read('worktree.yaml')}# mine\n`,
    });
    const said = await init(project, ['--uninstall', '--yes']);
    expect(JSON.parse(project.read(CLAUDE))).toEqual({ model: 'x' });
    expect(project.read('.gitignore')).toBe('dist\nmore\n');
    expect(said).toContain('worktree.yaml is kept');
    expect(project.has('worktree.yaml')).toBe(true);
  });

  test('does not mention a worktree.yaml that was removed', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes']);
    rmSync(project.path('worktree.yaml'));
    expect(await init(project, ['--uninstall', '--yes'])).not.toContain('worktree.yaml');
  });

  test('removes every hook from a file that was changed between two runs', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await init(project, ['--yes']);
    const settings = JSON.parse(project.read(CLAUDE));
    project.write({
      [CLAUDE]: JSON.stringify({ ...settings, model: 'x' }),
      'worktree.yaml': `${project.read('worktree.yaml')}  agents: [main, check, qa]\n`,
    });
    expect(await init(project, ['--yes'])).toContain(`changed  ${CLAUDE}`);
    await init(project, ['--uninstall', '--yes']);
    expect(project.read(CLAUDE)).toBe('{"model":"x"}');
  });

  test('removes the hooks in a clone, which has no record of the setup', async ({ makeProject }) => {
    const project = makeProject({ [CLAUDE]: '{\n  "model": "x"\n}\n' });
    await init(project, ['--yes', '--gates', 'make']);
    const clone = makeProject({
      [CLAUDE]: project.read(CLAUDE),
      'worktree.yaml': project.read('worktree.yaml'),
      '.gitignore': project.read('.gitignore'),
    });
    await init(clone, ['--uninstall', '--yes']);
    expect(clone.read(CLAUDE)).toBe('{\n  "model": "x"\n}\n');
    expect(clone.has('.gitignore')).toBe(false);
  });

  test.for([
    ['not JSON', '{'],
    ['a list of invalid files', '{"files":[null,{}],"directories":[]}'],
    ['a list of invalid directories', '{"files":[],"directories":[5]}'],
  ] as const)('removes the hooks when the record of the setup is %s', async ([, record], { makeProject }) => {
    const project = makeProject({ ...NODE, '.trellis/.ralph-init.json': record });
    await init(project, ['--yes']);
    project.write({ '.trellis/.ralph-init.json': record });
    await init(project, ['--uninstall', '--yes']);
    expect(project.has(CLAUDE)).toBe(false);
    expect(project.has('.trellis/.ralph-init.json')).toBe(false);
  });

  test('changes nothing in a project without a setup, and keeps empty settings', async ({ makeProject }) => {
    const project = makeProject({ [CLAUDE]: '{}\n', '.gemini/settings.json': '', '.gitignore': '' });
    const before = treeOf(project);
    expect(await init(project, ['--uninstall', '--yes'])).toBe('Nothing to change.\n');
    expect(treeOf(project)).toEqual(before);
  });

  test('removes the state and the log', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/.ralph/log.jsonl': '' });
    expect(await init(project, ['--uninstall', '--yes'])).toContain(
      '  removed  .trellis/.ralph (loops, outputs and the log)',
    );
    expect(project.has('.trellis/.ralph')).toBe(false);
  });
});

describe.concurrent('init fails and changes nothing for', () => {
  test.for([
    ['settings that are no JSON', '{\n  "a": 1,\n  "hooks": \n}\n', `${CLAUDE}:4:1: `],
    ['settings with hooks that are no object', '{"hooks": 5}', `${CLAUDE}:1:11: `],
    ['hooks that are set twice', '{"hooks": {},\n "hooks": {}}', `${CLAUDE}:2:2: `],
    ['what is not UTF-8', Buffer.from('{"a": "\xff"}', 'latin1'), `${CLAUDE} is not UTF-8`],
  ] as const)('%s', async ([, settings, says], { makeProject }) => {
    const project = makeProject({ ...NODE, [CLAUDE]: settings });
    const before = treeOf(project);
    const said = await init(project, ['--yes'], 1);
    expect(said).toContain(says);
    expect(said).toContain('Nothing was written.');
    expect(treeOf(project)).toEqual(before);
  });

  test.for([
    [
      'an unknown host',
      ['--yes', '--host', 'claude-cod'],
      2,
      /Unknown host "claude-cod"; did you mean "claude-code"\? Known hosts: .*codex/,
    ],
    [
      'a misspelt host after another one',
      ['--yes', '--host', 'claude', 'cusror'],
      2,
      /did you mean "cursor"/,
    ],
    ['a misspelt gate', ['--yes', '--gates', 'tesst'], 2, /Unknown gate "tesst".*neither.*PATH\.\n/],
    ['a list of no gates', ['--yes', '--gates', ','], 2, /Empty value for --gates/],
    ['a removal without a terminal and without --yes', ['--uninstall'], 0, /^Nothing to change\.\n$/],
    ['an unknown host to take back', ['--uninstall', '--host', 'claude-cod'], 2, /Unknown host/],
    ['a run without a terminal and without --yes', [], 2, /Cannot ask without a terminal. Use --yes/],
    ['no gates to propose', ['--yes'], 1, /--gates "npm test"/],
    ['an empty gate', ['--yes', '--gates', 'make', ' '], 2, /Empty value for --gates/],
    ['an unknown option', ['--yess'], 2, /--yes/],
  ] as const)('%s', async ([, args, exitCode, says], { makeProject }) => {
    const project = makeProject();
    const before = treeOf(project);
    expect(await init(project, args, exitCode)).toMatch(says);
    expect(treeOf(project)).toEqual(before);
  });

  test('a directory without a git repository', async ({ makeProject }) => {
    const project = makeProject(NODE, { git: false });
    const before = treeOf(project);
    expect(await init(project, ['--yes'], 1)).toMatch(/is not in a git repository.*"git init"/);
    expect(treeOf(project)).toEqual(before);
  });

  test('a broken config', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: {}\n' });
    expect(await init(project, ['--yes'], 1)).toContain('worktree.yaml:1:');
    expect(project.has(CLAUDE)).toBe(false);
  });

  test('--gates in a project with a gate.config.json', async ({ makeProject }) => {
    const project = makeProject({ 'gate.config.json': '{"gates":[{"name":"a","command":"true"}]}' });
    expect(await init(project, ['--yes', '--gates', 'make'], 1)).toContain('are in gate.config.json');
    await init(project, ['--yes']);
    expect(project.has('worktree.yaml')).toBe(false);
  });

  test('a link to nothing', async ({ makeProject }) => {
    const project = makeProject(NODE);
    mkdirSync(project.path('.claude'));
    symlinkSync('missing.json', project.path(CLAUDE));
    expect(await init(project, ['--yes'], 1)).toContain(`${CLAUDE} is a broken symbolic link`);
  });

  test('a pipe in place of settings, without waiting for its end', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.claude/x': '' });
    await execa('mkfifo', [project.path(CLAUDE)]);
    expect(await init(project, ['--yes'], 1)).toContain(`${CLAUDE} is not a file`);
  });

  test('a file in place of a directory', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.claude': '' });
    expect(await init(project, ['--yes', '--host', 'claude-code'], 1)).toMatch(
      /settings\.json cannot be read: ENOTDIR.*\nNothing was written/,
    );
  });

  test.skipIf(!canBeOtherUser)('a link into a directory that is read-only', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.claude/x': '', 'shared/settings.json': '{}\n' });
    symlinkSync('../shared/settings.json', project.path(CLAUDE));
    makeReadOnly(project);
    for (const path of ['', '.claude', 'shared/settings.json']) chmodSync(project.path(path), 0o777);
    const run = await ralphLoopAsOther(project, ['init', '--yes']);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(`${CLAUDE} cannot be written: it is read-only.`);
    expect(project.has('worktree.yaml')).toBe(false);
  });

  test.skipIf(!canBeOtherUser)('a project that is read-only', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, [CLAUDE]: '{}\n' });
    makeReadOnly(project);
    const run = await ralphLoopAsOther(project, ['init', '--yes']);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(`${CLAUDE} cannot be written: it is read-only.`);
    expect(project.read(CLAUDE)).toBe('{}\n');
    expect(project.has('worktree.yaml')).toBe(false);
  });
});

test('init keeps settings that are a symbolic link a symbolic link', async ({ makeProject }) => {
  const project = makeProject({ ...NODE, 'shared/settings.json': '{\n  "model": "x"\n}\n' });
  mkdirSync(project.path('.claude'));
  symlinkSync('../shared/settings.json', project.path(CLAUDE));
  await init(project, ['--yes']);
  expect(lstatSync(project.path(CLAUDE)).isSymbolicLink()).toBe(true);
  expect(JSON.parse(project.read('shared/settings.json'))).toMatchObject({ model: 'x', hooks: {} });
  await init(project, ['--uninstall', '--yes']);
  expect(project.read('shared/settings.json')).toBe('{\n  "model": "x"\n}\n');
});

test('init keeps the permissions and the owner of private settings', async ({ makeProject }) => {
  const project = makeProject({ ...NODE, [CLAUDE]: '{"env":{"KEY":"secret"}}' });
  const stats = () => lstatSync(project.path(CLAUDE));
  chmodSync(project.path(CLAUDE), 0o600);
  if (process.getuid?.() === 0) chownSync(project.path(CLAUDE), 65534, 65534);
  const { mode, uid, gid } = stats();
  await init(project, ['--yes']);
  expect(stats()).toMatchObject({ mode, uid, gid });
  expect(lstatSync(project.path('.trellis/.ralph-init.json')).mode & 0o777).toBe(0o600);
});
