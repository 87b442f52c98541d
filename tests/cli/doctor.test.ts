import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { HOSTS } from '../../src/hosts/registry.ts';
import { BIN, GATE_BIN, ralphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { inOwnNamespace, namespaceProblem } from '../helpers/own-namespace.ts';
import { type Files, type Project, test } from '../helpers/project.ts';
import { mainStops } from '../helpers/stops.ts';

const GATES = { 'worktree.yaml': 'verify:\n  - { run: echo checking, timeout: 20 }\n' };
const CLAUDE = '.claude/settings.json';

interface Finding {
  readonly about: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
  readonly fix?: string;
}

/** A project with gates, and what `init` writes for a host. */
async function setUp(project: Project, host = 'claude-code'): Promise<void> {
  const { exitCode } = await ralphLoop(project, ['init', '--yes', '--host', host]);
  expect(exitCode).toBe(0);
}

async function findings(project: Project, args: readonly string[] = [], env = {}): Promise<Finding[]> {
  const { stdout, stderr, exitCode } = await ralphLoop(project, ['doctor', '--json', ...args], { env });
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout);
  expect(exitCode).toBe(ok ? 0 : 1);
  expect(ok).toBe(findings.every(({ level }: Finding) => level !== 'error'));
  return findings;
}

const problems = (found: readonly Finding[]) => found.filter(({ level }) => level !== 'ok');
const errors = (found: readonly Finding[]) => found.filter(({ level }) => level === 'error');

/** Trust of every host that asks for it, as its client would have kept it. */
const trusting = (project: Project): Files => ({
  '../home/.copilot/config.json': JSON.stringify({ trustedFolders: [project.root] }),
  '../home/.pi/agent/trust.json': JSON.stringify({ [project.root]: true }),
  '../home/.gemini/trustedFolders.json': JSON.stringify({ [project.root]: 'TRUST_FOLDER' }),
});

describe.concurrent('in a project set up by init, doctor', () => {
  test('finds the hooks of Kimi Code that a person has added to the settings in the home directory', async ({
    makeProject,
  }) => {
    const project = makeProject(GATES);
    const { stdout } = await ralphLoop(project, ['init', '--yes', '--host', 'kimi']);
    expect(project.has('.kimi-code')).toBe(false);
    const fire = ['--fire', '--host', 'kimi'];
    expect(errors(await findings(project, fire)).map(({ what }) => what)).toEqual([
      'There is no hook at Stop: the main agent can stop without verification.',
    ]);
    const [hooks = ''] = /^\[\[hooks.*?(?=^Next)/ms.exec(stdout) ?? [];
    project.write({ '../home/.kimi-code/config.toml': hooks.replace(/^(?!\[|\w+ = ).*$/gm, '') });
    const found = await findings(project, fire);
    expect(problems(found).map(({ what }) => what)).toEqual(['Has never called the hook in this project.']);
    expect(found.filter(({ what }) => what.endsWith('blocked the test stop.'))).toHaveLength(1);
  });

  test.for([
    ['kimi', 'KIMI_CODE_HOME', 'config.toml', "[[hooks]]\nevent = 'Stop'\ncommand = 'ralph-loop hook'\n"],
    ['claude-code', 'CLAUDE_CONFIG_DIR', 'settings.json', '{"hooks":[]}'],
    ['codex', 'CODEX_HOME', 'hooks.json', '{"hooks":[]}'],
  ] as const)(
    'reads the settings of %s where %s says that they are',
    async ([host, variable, name, text], { makeProject }) => {
      const project = makeProject(GATES);
      project.write({ [`../home/elsewhere/${name}`]: text });
      const directory = project.path('../home/elsewhere');
      const named = (found: readonly Finding[]) =>
        found.filter(({ what }) => what.startsWith(`${directory}/${name}`));
      expect(named(await findings(project, ['--host', host]))).toEqual([]);
      expect(named(await findings(project, ['--host', host], { [variable]: directory }))).not.toEqual([]);
    },
  );

  test.for(HOSTS.filter(({ name, hookFile }) => name !== 'codex' && !hookFile.isOfUser))(
    'finds no problem, and each hook blocks the test stop, for $name',
    async ({ name, title }, { makeProject }) => {
      const project = makeProject(GATES);
      project.write(trusting(project));
      await setUp(project, name);
      const found = await findings(project, ['--fire']);
      expect(problems(found).map(({ what }) => what)).toEqual(['Has never called the hook in this project.']);
      const fired = found.filter(({ what }) => what.endsWith('blocked the test stop.'));
      expect(fired.length).toBeGreaterThan(0);
      expect(fired.every(({ about }) => about === title)).toBe(true);
      // It is the sample that was judged, not this project.
      expect(project.has('.trellis/.ralph')).toBe(false);
    },
  );

  test('reports that Codex must trust the project, and then each hook', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project, 'codex');
    const home = '../home/.codex/config.toml';
    const trust = async () => errors(await findings(project)).map(({ what }) => what);
    expect(await trust()).toEqual([expect.stringContaining('does not mark this project as trusted')]);
    const trusted = `[projects.${JSON.stringify(project.root)}]\ntrust_level = "trusted"\n`;
    project.write({ [home]: trusted });
    expect(await trust()).toEqual([expect.stringContaining('does not mark the hook at Stop as trusted')]);
    const hash = (event: string) =>
      `[hooks.state.${JSON.stringify(`${project.root}/.codex/hooks.json:${event}:0:0`)}]\ntrusted_hash = "sha256:0"\n`;
    project.write({ [home]: trusted + hash('stop') + hash('subagent_stop') });
    expect(await trust()).toEqual([]);
    expect(problems(await findings(project)).map(({ what }) => what)).toContainEqual(
      expect.stringContaining('seems to have changed since'),
    );
  });

  test('accepts gates of a workspace, and gates in the syntax of the shell', async ({ makeProject }) => {
    const project = makeProject({
      'package.json': '{"workspaces":["a"]}',
      'a/package.json': '{"scripts":{"lint":"eslint ."}}',
    });
    await setUp(project);
    expect(errors(await findings(project))).toEqual([]);
    project.write({
      'worktree.yaml': '',
      'gate.config.json': '{"gates":[{"name":"a","command":"my-word && make"}]}',
      '../home/bash': '#!/bin/sh\nmy_word() { :; }\ncase "$2" in "type my-word") exit 0; esac; exit 1\n',
    });
    chmodSync(project.path('../home/bash'), 0o755);
    expect(errors(await findings(project, [], { SHELL: `${project.home}/bash` }))).toEqual([]);
  });

  test('accepts a gate with a path relative to its directory, and with its own PATH', async ({
    makeProject,
  }) => {
    const project = makeProject({
      'worktree.yaml':
        'verify:\n  - { run: ./check.sh, cwd: app }\n  - { run: check.sh, env: { PATH: ./app:/usr/bin:/bin } }\n',
      'app/check.sh': '',
    });
    chmodSync(project.path('app/check.sh'), 0o755);
    await setUp(project);
    expect(errors(await findings(project))).toEqual([]);
  });

  test('calls hooks inside a gate too, and prints no secret', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - { name: with s3cr3t-value, run: echo }\n' });
    await setUp(project);
    const found = await findings(project, ['--fire'], { RALPH_LOOP: '1', API_TOKEN: 's3cr3t-value' });
    expect(errors(found)).toEqual([]);
    expect(found).toContainEqual(
      expect.objectContaining({ what: expect.stringMatching(/^with \*\*\*: found/) }),
    );
  });

  test('reports an error if the launcher finds no program, and a warning if git ignores it', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, { ...GATES, '.gitignore': '.trellis\n' });
    await setUp(project);
    expect(await findings(project)).toContainEqual(
      expect.objectContaining({ what: `.trellis/ralph-hook.cjs starts ralph-loop ${packageJson.version}.` }),
    );
    const found = await findings(project, [], { XDG_STATE_HOME: '' });
    expect(errors(found).map(({ what }) => what)).toEqual([
      `ralph-loop is not installed in ${project.root}. Run \`npm install --global ralph-loop-cli\`.`,
    ]);
    const ignored =
      'git ignores .trellis/ralph-hook.cjs: a clone or a worktree does not have it, and its hooks fail.';
    expect(problems(found).map(({ what }) => what)).toContain(ignored);
    // Nothing of a person's own set-up is in git.
    project.write({ '.gitignore': '.trellis\n.claude\n' });
    expect(problems(await findings(project)).map(({ what }) => what)).not.toContain(ignored);
  });

  test('shows when the hook was called last', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project);
    const event = JSON.stringify(mainStops(project));
    await ralphLoop(project, ['hook'], { input: event, env: { CLAUDECODE: '1' } });
    const found = await findings(project);
    expect(problems(found)).toEqual([]);
    expect(found).toContainEqual({
      about: 'Claude Code',
      level: 'ok',
      what: expect.stringMatching(
        /^Last called the hook (?:just now|\d+ s ago): allowed: commands-passed\.$/,
      ),
    });
  });
});

describe.concurrent('doctor reports an error for', () => {
  const settings = (entry: object, event = 'Stop') =>
    JSON.stringify({ hooks: { [event]: [{ hooks: [entry] }], SubagentStop: [{ hooks: [OK] }] } });
  const OK = { type: 'command', command: 'ralph-loop hook --deadline 570', timeout: 600 };
  const PROGRAM = { '../home/bin/ralph-loop': '' };

  const rows: [string, Files, RegExp, RegExp][] = [
    ['no config', { 'worktree.yaml': '' }, /has no gates: every stop is allowed/, /ralph-loop init/],
    ['a broken config', { 'worktree.yaml': 'verify: 5\n' }, /^worktree\.yaml:1:9: /, /Fix the config/],
    [
      'a gate whose program is missing',
      { 'worktree.yaml': 'verify:\n  - CI=1 no-such-program --x\n' },
      /program "no-such-program" was not found on PATH/,
      /Install it/,
    ],
    [
      'a gate whose script is missing',
      { 'worktree.yaml': 'verify:\n  - npm run lnt\n', 'package.json': '{"scripts":{"lint":"x"}}' },
      /package\.json has no script "lnt"/,
      /Add the script/,
    ],
    [
      'a stop that two hooks judge',
      {
        [CLAUDE]: settings(OK),
        '.claude/settings.local.json': settings({ ...OK, command: 'npx ralph-gate --hook' }),
      },
      /checked 2 times: Stop in .*settings\.json and .*settings\.local\.json/,
      /Keep one/,
    ],
    [
      'settings in a form that the host ignores',
      { [CLAUDE]: JSON.stringify({ hooks: { Stop: [OK], SubagentStop: [{ hooks: [OK] }] } }) },
      /^\.claude\/settings\.json:1:19: found a group of "Stop" without "hooks"/,
      /Fix the file: its hooks are not run/,
    ],
    ['no hook', { [CLAUDE]: '{}' }, /No hook of ralph-loop is installed/, /ralph-loop init/],
    ['settings that are not JSON', { [CLAUDE]: '{"hooks": }' }, /settings\.json:1:11: /, /Fix the file/],
    [
      'hooks that are disabled',
      { [CLAUDE]: `{"disableAllHooks": true, ${settings(OK).slice(1)}` },
      /disables all hooks/,
      /Enable them again/,
    ],
    [
      "hooks that are disabled by Gemini's setting",
      { '.gemini/settings.json': '{"hooksConfig":{"enabled":false},"x":"ralph-loop hook"}' },
      /disables all hooks/,
      /Enable them again/,
    ],
    [
      'no hook for the main agent',
      { [CLAUDE]: settings(OK, 'PreToolUse') },
      /There is no hook at Stop/,
      /init/,
    ],
    [
      'a hook at an event where the host ignores it',
      { [CLAUDE]: JSON.stringify({ hooks: {}, Stop: [{ hooks: [OK] }] }) },
      /has the hook in a place where Claude Code does not read it/,
      /init --host claude-code/,
    ],
    [
      "a deadline beyond the host's timeout",
      { [CLAUDE]: settings({ ...OK, timeout: 10 }) },
      /waits 10 s \(timeout 10 in seconds\), but the answer may take 570 s/,
      /init --host claude-code/,
    ],
    [
      'a timeout in the wrong unit',
      { '.gemini/settings.json': JSON.stringify({ hooks: { AfterAgent: [{ hooks: [OK] }] } }) },
      /waits 0\.6 s \(timeout 600 in milliseconds\)/,
      /init --host gemini/,
    ],
    [
      'a host without an event for the stops of a guarded agent',
      {
        'worktree.yaml': 'verify: [echo]\nralph: { agents: [check] }\n',
        '.gemini/settings.json': JSON.stringify({
          hooks: { AfterAgent: [{ hooks: [{ ...OK, timeout: 600_000 }] }] },
        }),
      },
      /has no event for stops of check/,
      /Add "main" to the agents/,
    ],
    [
      'a program that is missing',
      { [CLAUDE]: settings({ ...OK, command: 'node "$CLAUDE_PROJECT_DIR/x/ralph-loop.js" hook' }) },
      /program not found: node/,
      /Install it/,
    ],
  ];
  test.for(rows)('%s', async ([, files, what, fix], { makeProject }) => {
    const project = makeProject({ ...GATES, ...PROGRAM, ...files });
    chmodSync(project.path('../home/bin/ralph-loop'), 0o755);
    const PATH = `${project.home}/bin:${project.environment.PATH}`;
    const found = await findings(project, [], { PATH });
    expect(errors(found)).toContainEqual(
      expect.objectContaining({ what: expect.stringMatching(what), fix: expect.stringMatching(fix) }),
    );
  });

  test.skipIf(!canBeOtherUser)('a state directory that is read-only', async ({ makeProject }) => {
    const project = makeProject(GATES);
    makeReadOnly(project);
    const { stdout, exitCode } = await ralphLoopAsOther(project, ['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('.trellis/.ralph is not writable: it is read-only.');
  });

  test('state in the tree, where there is no home and where a repository brings it', async ({
    makeProject,
  }) => {
    const project = makeProject({ ...GATES, '.trellis/.ralph/chain-k3x9-7f2a.json': '{}' });
    await setUp(project);
    const state = async (env: Record<string, string>) =>
      (await findings(project, [], env)).filter(({ about }) => about === 'State').map(({ what }) => what);
    expect(await state({})).toContain(
      'State in the repository decides nothing: .trellis/.ralph/chain-k3x9-7f2a.json.',
    );
    expect(await state({ XDG_STATE_HOME: '/proc/no-home' })).toContainEqual(
      expect.stringMatching(
        /^Counts and typed gates are in \.trellis\/\.ralph, where a repository can bring its own/,
      ),
    );
  });

  test('paths that match no file, with their line, and runs the gates all the same with --fire', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, {
      'worktree.yaml':
        'verify:\n  - run: echo one\n    paths: ["scr/**"]\n  - { name: two, run: "echo {changed_files}" }\n',
    });
    const found = await findings(project, ['--fire']);
    const gates = found.filter(({ about }) => about === 'Gates').map(({ level, what }) => `${level} ${what}`);

    expect(gates).toEqual([
      expect.stringMatching(/^ok echo one: passed/),
      expect.stringMatching(/^ok two: was not run: no changed file/),
      'warning worktree.yaml:3: echo one: no file matches "paths" (scr/**): the gate never runs.',
    ]);
  });

  test('a stop that hooks of two hosts judge', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project, 'cursor');
    const settings = project.read('.cursor/hooks.json');
    await setUp(project);
    project.write({ '.cursor/hooks.json': settings });
    expect(errors(await findings(project))).toContainEqual(
      expect.objectContaining({
        about: 'Cursor',
        what: expect.stringMatching(/checked 2 times: stop in .cursor.hooks.json and .claude.settings.json/),
      }),
    );
  });

  test('a git worktree without the program, in it and in the main one', async ({ makeProject }) => {
    const command =
      'node "$CLAUDE_PROJECT_DIR/node_modules/ralph-loop/bin/ralph-loop.js" hook --deadline 570';
    const project = makeProject(
      {
        ...GATES,
        '.gitignore': 'node_modules\n',
        [CLAUDE]: JSON.stringify({ hooks: { Stop: [{ hooks: [{ ...OK, command }] }] } }),
        'node_modules/ralph-loop/bin/ralph-loop.js': '',
        '../old/README.md': '',
      },
      { git: false },
    );
    const git = (...args: string[]) =>
      execa('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: project.root });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'x');
    for (const tree of ['../new tree', '../installed', '../removed'])
      await git('worktree', 'add', '--quiet', '--detach', tree);
    project.write({ '../installed/node_modules/ralph-loop/bin/ralph-loop.js': '' });
    await execa('rm', ['-r', project.path('../removed')]);
    const missing = async (cwd?: string) => {
      const { stdout } = await ralphLoop(project, ['doctor', '--json'], { ...(cwd && { cwd }) });
      const found: Finding[] = JSON.parse(stdout).findings;
      return errors(found).flatMap(({ what }) => (/worktree|program not found/.test(what) ? [what] : []));
    };
    expect(await missing()).toEqual([
      `The git worktree ${project.path('../new tree')} has the hook, but not its program: stops there are not verified.`,
    ]);
    expect(await missing(project.path('../new tree'))).toEqual([
      expect.stringMatching(/settings\.json, Stop: program not found/),
    ]);
    expect(await missing(project.path('../installed'))).toEqual([]);
  });

  test('a project outside of a repository', async ({ makeProject }) => {
    const found = await findings(makeProject(GATES, { git: false }));
    expect(found).toMatchObject([
      { level: 'error', what: expect.stringContaining('is not in a git repository'), fix: 'git init' },
    ]);
  });

  test('an unknown host', async ({ makeProject }) => {
    const { stderr, exitCode } = await ralphLoop(makeProject(GATES), ['doctor', '--host', 'x']);
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringMatching(/^Unknown host "x"\. Known hosts: .*codex/),
      exitCode: 2,
    });
  });
});

describe.concurrent('doctor warns about', () => {
  test.for([
    [
      'gates that may take longer than the deadline',
      'verify:\n  - { run: echo, timeout: 900 }\n',
      /all gates together may take 902 s/,
    ],
    [
      'a limit that the host does not reach',
      'verify: [echo]\nralph: { max_iterations: 9 }\n',
      /after 8 consecutive blocks/,
    ],
    [
      'a type of agent that no hook is bound to',
      'verify: [echo]\nralph: { agents: [main, check, qa] }\n',
      /does not include qa/,
    ],
  ] as const)('%s', async ([, config, what], { makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project);
    project.write({ 'worktree.yaml': config });
    const found = await findings(project);
    expect(errors(found)).toEqual([]);
    expect(found).toContainEqual(
      expect.objectContaining({ level: 'warning', what: expect.stringMatching(what) }),
    );
  });

  test('a Trellis project without a current task', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/worktree.yaml': 'verify: [echo]\n' });
    await setUp(project);
    expect(problems(await findings(project))).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining('There is no current task') }),
    );
  });

  test('slow gates of a host with a fixed maximum timeout', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [{ run: echo, timeout: 300 }]\n' });
    await setUp(project, 'qwen');
    expect(problems(await findings(project))).toContainEqual(
      expect.objectContaining({ fix: expect.stringContaining('Give slow gates a shorter timeout') }),
    );
  });

  const timed = (event: string, command: string, timeout: number, more: object = {}) =>
    JSON.stringify({ hooks: { [event]: [{ ...more, hooks: [{ type: 'command', command, timeout }] }] } });
  test.for([
    ['milliseconds where the host reads seconds', CLAUDE, timed('Stop', 'ralph-loop hook', 600_000), /meant/],
    [
      'a timeout that may be in seconds or in milliseconds',
      '.qwen/settings.json',
      timed('Stop', 'ralph-loop hook --deadline 50', 60),
      /others/,
    ],
    ['a gate that takes hours', CLAUDE, timed('Stop', 'ralph-loop hook --deadline 11970', 12_000), undefined],
    [
      'a matcher that the host ignores',
      CLAUDE,
      timed('Stop', 'ralph-loop hook', 600, { matcher: 'x' }),
      undefined,
    ],
  ] as const)('the numbers and words of an entry: %s', async ([, path, text, says], { makeProject }) => {
    const found = await findings(makeProject({ ...GATES, [path]: text }));
    const entry = problems(found).filter(({ what }) => /timeout of|matcher/.test(what));
    expect(entry.map(({ what }) => what)).toEqual(says ? [expect.stringMatching(says)] : []);
  });

  test('only the missing call in a project that is the home directory', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project);
    const found = await findings(project, [], { HOME: project.root });
    expect(problems(found).map(({ what }) => what)).toEqual(['Has never called the hook in this project.']);
  });

  test('expired loops', async ({ makeProject }) => {
    const project = makeProject({
      ...GATES,
      '@/loop-a.main.json': JSON.stringify({
        task: 'session:a/main',
        iteration: 2,
        started_at: '2026-01-31T10:30:00.123456',
      }),
    });
    await setUp(project);
    expect(problems(await findings(project))).toContainEqual(
      expect.objectContaining({
        what: 'Expired loops: session:a/main.',
        fix: 'ralph-loop reset',
      }),
    );
  });
});

describe.concurrent('doctor in a subfolder', () => {
  const reported = (found: readonly Finding[], pattern: RegExp) =>
    found.flatMap(({ level, what, fix }) => (pattern.test(what) ? [[level, what, fix]] : []));

  async function findingsIn(
    project: Project,
    folder: string,
    args: readonly string[] = [],
  ): Promise<Finding[]> {
    mkdirSync(project.path(folder), { recursive: true });
    const { stdout } = await ralphLoop(project, ['doctor', '--json', ...args], { cwd: project.path(folder) });
    return JSON.parse(stdout).findings;
  }

  test('says that the host must be started where its settings are', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project);
    const found = await findingsIn(project, 'packages/ui', ['--fire']);
    expect(errors(found)).toEqual([]);
    expect(reported(found, /started/)).toEqual([
      [
        'warning',
        `Claude Code has no hook if it is started here: its settings are in ${project.root}.`,
        `Start the host in ${project.root}: it reads its settings in the directory where it is started.`,
      ],
    ]);
  });

  test('finds the hooks at the root for a package with a config of its own', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project);
    project.write({ 'packages/ui/worktree.yaml': 'verify: [echo]\n' });
    const found = await findingsIn(project, 'packages/ui', ['--fire']);
    expect(errors(found)).toEqual([]);
    expect(reported(found, /started/)).toEqual([
      ['warning', expect.stringContaining('if it is started here'), expect.stringContaining(project.root)],
    ]);
  });

  test('says so for a package with hooks of its own, as init does', async ({ makeProject }) => {
    const project = makeProject({ 'packages/ui/worktree.yaml': 'verify: [echo]\n' });
    const ui = project.path('packages/ui');
    const start = `Start the host in ${ui}: it reads its settings in the directory where it is started.`;
    const { stdout } = await ralphLoop(project, ['init', '--yes', '--host', 'claude-code'], { cwd: ui });
    expect(stdout).toContain(start);
    const found = await findingsIn(project, 'packages/ui');
    expect(errors(found)).toEqual([]);
    expect(reported(found, /started/)).toEqual([['ok', start, undefined]]);
  });

  test('does not for Codex, which finds its hooks from there', async ({ makeProject }) => {
    const project = makeProject(GATES);
    await setUp(project, 'codex');
    expect(reported(await findingsIn(project, 'packages/ui'), /started/)).toEqual([]);
  });

  test('that is a nested repository without a config finds the project around it', async ({
    makeProject,
  }) => {
    const project = makeProject({ ...GATES, 'sub/.git/HEAD': '' });
    await setUp(project);
    const found = await findingsIn(project, 'sub');
    expect(errors(found)).toEqual([]);
    expect(reported(found, /started/)).toHaveLength(1);
  });
});

describe.concurrent('for Copilot chat in VS Code and the hooks of Claude Code, doctor', () => {
  const ON = JSON.stringify({ 'chat.useClaudeHooks': true });
  const about = 'Copilot chat in VS Code';
  const ofVsCode = (found: readonly Finding[]) => found.filter((finding) => finding.about === about);

  test.for([
    ['nothing where only its editor is used', { '.vscode/settings.json': '{}' }, []],
    [
      'nothing where the setting is on',
      { '.vscode/settings.json': `// both\n${ON}`, '.github/hooks/x.json': '{}' },
      [],
    ],
    [
      'that they do not run where Copilot is used and the setting is off',
      { '.vscode/settings.json': '{}', '.github/copilot-instructions.md': '' },
      [
        {
          about,
          level: 'warning',
          what: 'It does not run the hooks of .claude/settings.json: chat.useClaudeHooks is off by default, and .vscode/settings.json does not set it.',
          fix: 'Set "chat.useClaudeHooks": true there or in your own settings.',
        },
      ],
    ],
  ] as const)('says %s', async ([, files, expected], { makeProject }) => {
    const project = makeProject({ ...GATES, ...files });
    await setUp(project);
    expect(ofVsCode(await findings(project))).toEqual(expected);
  });

  test('says that they cannot start where the root of the workspace is not that of the project', async ({
    makeProject,
  }) => {
    const project = makeProject({
      'packages/ui/worktree.yaml': GATES['worktree.yaml'],
      '.vscode/settings.json': ON,
    });
    const ui = project.path('packages/ui');
    await ralphLoop(project, ['init', '--yes', '--host', 'claude-code'], { cwd: ui });
    const { stdout } = await ralphLoop(project, ['doctor', '--json'], { cwd: ui });
    expect(ofVsCode(JSON.parse(stdout).findings)).toEqual([
      {
        about,
        level: 'error',
        what: `It starts the hooks of .claude/settings.json in the root of its workspace. In ${project.root} they cannot start, and every stop is allowed.`,
        fix: `Open ${ui} in VS Code, with "chat.useClaudeHooks": true in its .vscode/settings.json instead.`,
      },
    ]);
  });
});

describe.concurrent('doctor --fire', () => {
  test('runs the gates, and records nothing', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': 'verify:\n  - "echo no; exit 3"\n  - touch ran\n  - (no-such-program)\n',
    });
    await setUp(project);
    const gates = (found: readonly Finding[]) =>
      found.flatMap(({ about, level, what }) => (about === 'Gates' ? [`${level} ${what}`] : []));
    expect(gates(await findings(project))).toEqual([
      'ok echo no; exit 3: found',
      'ok touch ran: found',
      'ok (no-such-program): not checked: only --fire runs it',
    ]);
    expect(project.has('ran')).toBe(false);
    const fired = await findings(project, ['--fire']);
    expect(gates(fired)).toEqual([
      expect.stringMatching(/^warning echo no; exit 3: exited with code 3, after /),
      expect.stringMatching(/^ok touch ran: passed, after /),
      expect.stringMatching(/^error \(no-such-program\): exited with code 127/),
    ]);
    expect(project.has('ran')).toBe(true);
    expect(project.has('.trellis/.ralph')).toBe(false);
    // Neither of the temporary projects in which the hooks were tested.
    const { XDG_STATE_HOME = '', TMPDIR = '' } = project.environment;
    expect(readdirSync(join(XDG_STATE_HOME, 'ralph-loop/projects', TMPDIR))).toEqual([]);
  });

  test('that is a gate itself does not run the gates again', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - echo x >> runs\n' });
    await setUp(project);
    await findings(project, ['--fire'], { RALPH_LOOP: '1' });
    expect(project.has('runs')).toBe(false);
  });

  test('reports a program that only npx has on PATH', async ({ makeProject }) => {
    const hooks = [{ hooks: [{ type: 'command', command: 'ralph-loop hook', timeout: 600 }] }];
    const project = makeProject({ ...GATES, [CLAUDE]: JSON.stringify({ hooks: { Stop: hooks } }) });
    const directory = project.path('node_modules/.bin');
    mkdirSync(directory, { recursive: true });
    symlinkSync(BIN, `${directory}/ralph-loop`);
    const PATH = `${directory}:${project.environment.PATH}`;
    const whats = errors(await findings(project, ['--fire'], { PATH })).map(({ what }) => what);
    expect(whats).toContainEqual(expect.stringContaining('program not found: ralph-loop hook'));
    expect(whats).toContainEqual(expect.stringContaining('exited with 127'));
  });

  test('does not run the gates of a --config', async ({ makeProject }) => {
    const command = `node "${BIN}" hook --config "$CLAUDE_PROJECT_DIR/gates.json"`;
    const hooks = [{ hooks: [{ type: 'command', command, timeout: 600 }] }];
    const project = makeProject({
      ...GATES,
      'gates.json': JSON.stringify({ gates: [{ name: 'a', command: 'touch "$CLAUDE_PROJECT_DIR/ran"' }] }),
      [CLAUDE]: JSON.stringify({ hooks: { Stop: hooks } }),
    });
    const found = await findings(project, ['--fire']);
    expect(problems(found)).toContainEqual(
      expect.objectContaining({ level: 'warning', what: expect.stringMatching(/Stop: not tested, because/) }),
    );
    expect(project.has('ran')).toBe(false);
  });

  test('reports no hook that Ctrl-C has ended', async ({ makeProject }) => {
    // A terminal signals both processes.
    const command = 'kill -INT $PPID; kill -INT $$; sleep 9; ralph-loop hook';
    const hooks = [{ hooks: [{ type: 'command', command, timeout: 600 }] }];
    const project = makeProject({ ...GATES, [CLAUDE]: JSON.stringify({ hooks: { Stop: hooks } }) });
    expect(await ralphLoop(project, ['doctor', '--fire'])).toMatchObject({ exitCode: 130, stdout: '' });
  });

  test.for([
    ['with absolute paths', `"${process.execPath}" "${BIN}" hook`],
    ['of Ralph Gate', `node "${GATE_BIN}" --hook`],
  ] as const)('finds no problem in a command %s', async ([, command], { makeProject }) => {
    const hooks = [{ hooks: [{ type: 'command', command, timeout: 600 }] }];
    const project = makeProject({
      ...GATES,
      [CLAUDE]: JSON.stringify({ hooks: { Stop: hooks, SubagentStop: hooks } }),
    });
    expect(errors(await findings(project, ['--fire']))).toEqual([]);
  });

  test.for([
    [
      'does not answer in JSON',
      'echo fine; : ralph-loop hook',
      /did not block the test stop: it answered: fine/,
    ],
    [
      'fails',
      'echo broken >&2; exit 3; ralph-loop hook',
      /did not block the test stop: exited with 3: broken/,
    ],
    ['allows every stop', 'true ralph-loop hook', /did not block the test stop: it printed nothing/],
  ] as const)('reports a hook that %s', async ([, command, what], { makeProject }) => {
    const project = makeProject({
      ...GATES,
      [CLAUDE]: JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: 'command', command, timeout: 600 }] }] },
      }),
    });
    const found = await findings(project, ['--fire']);
    expect(errors(found)).toContainEqual(expect.objectContaining({ what: expect.stringMatching(what) }));
  });
});

test.for([
  ['git version 2.14.7', 'git 2.14.7 is older than git 2.15: checkpoints'],
  ['git version 1.8.3.1', 'git 1.8.3.1 is older than git 2.15: checkpoints'],
  ['', 'git was not found on PATH: checkpoints'],
  ['git version 2.15.0', undefined],
  ['git version 2.39.5 (Apple Git-154)', undefined],
] as const)('doctor, where git says "%s"', async ([says, what], { makeProject }) => {
  const project = makeProject({ ...GATES, 'bin/git': `#!/bin/sh\necho "${says}"\n` });
  chmodSync(project.path('bin/git'), 0o755);
  const PATH = `${project.path('bin')}:${project.environment.PATH}`;
  const found = (await findings(project, [], { PATH })).find(({ about }) => about === 'Git');
  expect(found?.what).toEqual(what && expect.stringContaining(what));
});

test('doctor names the log of the user in a repository without a config', async ({ makeProject }) => {
  const project = makeProject();
  const log = `${project.home}/.local/state/ralph-loop/log.jsonl`;
  expect(errors(await findings(project, [], { XDG_STATE_HOME: '' }))).toContainEqual(
    expect.objectContaining({ about: 'Config', what: expect.stringContaining(`and logged in ${log}.`) }),
  );
});

test.skipIf(namespaceProblem())('doctor reports a disk that is full', async ({ makeProject }) => {
  const project = makeProject({ 'worktree.yaml': 'verify: [npm test]\n', '.trellis/.ralph/x': '' });
  const fill = 'mount -t tmpfs -o size=64k none .trellis/.ralph; head -c 1M /dev/zero > .trellis/.ralph/x';
  expect(await inOwnNamespace(project, `${fill} 2> x; ralph_loop doctor`)).toContain(
    '  ✗ .trellis/.ralph is not writable: no space is left on the device. Attempts are counted in the temporary directory, and nothing is logged.\n    → Free some space.\n',
  );
});

test('doctor prints a fix of several findings once, after the last of them', async ({ makeProject }) => {
  const project = makeProject({ 'worktree.yaml': 'verify: 5\nralph:\n  max: 1\n' });
  const { stdout } = await ralphLoop(project, ['doctor']);
  expect(stdout).toMatch(
    /^Config\n {2}✗ worktree\.yaml:1:9: .*\n {2}✗ worktree\.yaml:3:3: .*\n {4}→ Fix the config\./,
  );
  expect(stdout.match(/Fix the config/g)).toHaveLength(1);
});

test('doctor prints the findings by subject, each with its fix', async ({ makeProject }) => {
  const script = { 'worktree.yaml': 'verify:\n  - |\n    echo one\n    echo two\n' };
  const { stdout, exitCode } = await ralphLoop(makeProject(script), ['doctor']);
  expect(stdout).toContain('  ✓ echo one echo two: found\n');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('Config\n  ✓ worktree.yaml: guards main, check, trellis-check');
  expect(stdout).toContain(
    '  ✗ No hook of ralph-loop is installed in this project.\n    → ralph-loop init\n',
  );
  expect(stdout).toMatch(/\n1 error, 0 warnings\.\n$/);
});
