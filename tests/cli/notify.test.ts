import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { BIN } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { hookProcessAnswers, mainStops } from '../helpers/stops.ts';
import { canHaveTmux, openScreen } from '../helpers/tmux.ts';

const GATE = '{ name: test, run: "test -f green" }';
const config = (notify: string) => ({
  'worktree.yaml': worktreeYaml([GATE], `ralph:\n  notify: '${notify}'\n`),
});
const TO_HOME = 'cat > "$HOME/notified.json"';

const stops = (project: Project, env = {}) =>
  hookProcessAnswers(project, mainStops(project), { env: { CLAUDECODE: '1', ...env } });
const notified = (project: Project) => {
  const path = join(project.home, 'notified.json');
  return eventually('the command has run', () => existsSync(path) && readFileSync(path, 'utf8'));
};

describe('the command of `notify`', () => {
  test('gets a block as one line of JSON, without secrets', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': worktreeYaml(
        ['{ name: "test hunter22-is-secret", run: "exit 3" }'],
        `ralph:\n  notify: '${TO_HOME}'\n`,
      ),
    });
    await stops(project, { DB_PASSWORD: 'hunter22-is-secret' });
    const text = await notified(project);
    expect(text).not.toContain('hunter22');
    expect(text.trimEnd()).not.toContain('\n');
    expect(JSON.parse(text)).toMatchObject({
      event: 'blocked',
      project: project.root,
      host: 'claude-code',
      agent: 'main',
      iteration: 1,
      max: 5,
      failed: [expect.stringMatching(/^test /)],
    });
  });

  test('does not delay the answer, and leaves no file', async ({ makeProject }) => {
    const project = makeProject(config(`${TO_HOME}; while [ ! -e "$HOME/go" ]; do sleep 0.05; done`));
    const { decision } = await stops(project);
    expect(decision).toBe('block');
    await notified(project);
    expect(existsSync(join(project.home, 'go'))).toBe(false);
    project.write({ '../home/go': '' });
    await eventually('the notification is removed', () => {
      return !readdirSync(project.path('@')).some((name) => name.startsWith('notification-'));
    });
  });

  test('that fails is reported once', async ({ makeProject }) => {
    const project = makeProject(config('echo no network >&2; exit 7'));
    const first = await stops(project);
    expect(first.systemMessage ?? '').not.toContain('notify');
    await project.appears('@/notices.txt');
    const second = await stops(project);
    expect(second.systemMessage).toMatch(/the command of `notify` exited with 7; output in .*notify\.log/);
    expect(project.read('@/notify.log')).toContain('no network');
    const third = await stops(project);
    expect(third.systemMessage ?? '').not.toContain('notify');
  });

  test('runs as it was when the session began', async ({ makeProject }) => {
    const project = makeProject(config(TO_HOME));
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Fix it' };
    await hookProcessAnswers(project, mainStops(project, prompt), { env: { CLAUDECODE: '1' } });
    project.write(config('touch "$HOME/of-the-agent"'));
    const answer = await stops(project);
    await notified(project);
    expect(existsSync(join(project.home, 'of-the-agent'))).toBe(false);
    expect(answer.reason).toMatch(/setting `notify` is `touch/);
  });

  test('does not run a script that the session has changed', async ({ makeProject }) => {
    const project = makeProject({
      ...config('sh tools/notify.sh'),
      'tools/notify.sh': `${TO_HOME}\n`,
    });
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Fix it' };
    await hookProcessAnswers(project, mainStops(project, prompt), { env: { CLAUDECODE: '1' } });
    project.write({ 'tools/notify.sh': 'touch "$HOME/of-the-agent"\n' });
    const answer = await stops(project);
    expect(answer.reason).toMatch(/`tools\/notify\.sh` changed, which the command of `notify` runs/);
    project.write({ 'tools/notify.sh': `${TO_HOME}\n`, green: '' });
    expect((await stops(project)).decision).toBeUndefined();
    expect(existsSync(join(project.home, 'of-the-agent'))).toBe(false);
  });
});

describe('`notify: desktop`', () => {
  test('shows what happened, as one argument', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': worktreeYaml(
        ['{ name: "a $(touch x) `b` <c>", run: "exit 3" }'],
        'ralph:\n  notify: desktop\n',
      ),
      'bin/notify-send': '#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done > "$HOME/notified.json"\n',
    });
    chmodSync(project.path('bin/notify-send'), 0o755);
    const PATH = `${project.path('bin')}:${process.env.PATH}`;
    await stops(project, { PATH, DISPLAY: ':0', WAYLAND_DISPLAY: '' });
    expect((await notified(project)).split('\n')).toEqual([
      '--app-name=ralph-loop',
      '--',
      'ralph-loop: stop blocked: `a $(touch x) `b` <c>` failed',
      '',
    ]);
    expect(project.has('x')).toBe(false);
  });
});

// As hosts do, the program in the terminal starts the hook in a session of its own, without the terminal as its output.
const HOST = `
  const { spawn } = require('node:child_process');
  const { readFileSync } = require('node:fs');
  const child = spawn(process.execPath, process.argv.slice(2), { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(readFileSync('event.json'));
  child.on('close', () => { console.log('answered'); setInterval(() => {}, 1000); });
`;

test.skipIf(!canHaveTmux).for(['bell', 'desktop'])(
  'the terminal in which a host runs rings its bell with `notify: %s`, without a desktop',
  async (notify, { makeProject }) => {
    const project = makeProject({ ...config(notify), 'host.cjs': HOST });
    project.write({ 'event.json': JSON.stringify(mainStops(project)) });
    const screen = openScreen(project, `exec '${process.execPath}' host.cjs '${BIN}' hook`);
    await screen.shows('answered');
    await eventually('the bell has rung', screen.bell);
  },
);
