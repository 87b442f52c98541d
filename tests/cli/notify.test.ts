import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { hookProcessAnswers, mainStops } from '../helpers/stops.ts';

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
