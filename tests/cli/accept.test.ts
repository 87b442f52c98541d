import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { inOwnNamespace, namespaceProblem } from '../helpers/own-namespace.ts';
import { type Files, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { hookAnswers, logOf, mainStops } from '../helpers/stops.ts';

const env = { CLAUDECODE: '1' };
const FILES: Files = { 'worktree.yaml': worktreeYaml(['{ name: test, run: "test -f green" }']) };
const WEAKER = { 'worktree.yaml': worktreeYaml(['{ name: test, run: "true" }']) };

const stops = (project: Project, more: Readonly<Record<string, unknown>> = {}) =>
  hookAnswers(project, mainStops(project, more), { env });
const prompts = (project: Project, more: Readonly<Record<string, unknown>> = {}) =>
  stops(project, { hook_event_name: 'UserPromptSubmit', prompt: 'Fix it', ...more });

describe('accept', () => {
  test('is refused in the shell of an agent, logged, and reported to the person at the next stop', async ({
    makeProject,
  }) => {
    const project = makeProject(FILES);
    await prompts(project);
    project.write(WEAKER);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['accept'], { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      "`ralph-loop accept` was refused: it was run by an agent's shell (CLAUDECODE=1)",
    );
    expect(logOf(project).at(-1)?.why).toBe("accept refused, by an agent's shell (CLAUDECODE=1)");
    const { decision, systemMessage } = await stops(project);
    expect(decision).toBe('block');
    expect(systemMessage).toContain('`ralph-loop accept` was refused');
  });

  // In a namespace of its own, no process above is that of a host.
  const accepts = (project: Project, directory = '.') =>
    inOwnNamespace(
      project,
      `export XDG_STATE_HOME='${project.environment.XDG_STATE_HOME}'; cd '${project.path(directory)}' && script -qec '"${process.execPath}" "$RALPH_LOOP_BIN" accept' /dev/null`,
    );

  test.skipIf(namespaceProblem())(
    'by a person prints what became weaker, and lets all sessions be judged by it',
    async ({ makeProject }) => {
      const project = makeProject({ 'sub/a.txt': '', ...FILES });
      for (const session_id of [project.root, `${project.root}-b`]) await prompts(project, { session_id });
      project.write(WEAKER);
      expect(await accepts(project, 'sub')).toMatch(
        /^high +worktree\.yaml:2: gate `test` runs `true` instead; it was judged as it was\r?\nAccepted for 2 sessions/,
      );
      for (const session_id of [project.root, `${project.root}-b`]) {
        const { decision, systemMessage } = await stops(project, { session_id });
        expect({ decision, systemMessage }).toEqual({
          decision: undefined,
          systemMessage: expect.stringMatching(/^ralph-loop: 1 gate passed in [^;]*$/),
        });
      }
      expect(await accepts(project)).toContain('Nothing to accept');
    },
  );

  test.skipIf(namespaceProblem())(
    'by a person who removed the config ends the guard',
    async ({ makeProject }) => {
      const project = makeProject(FILES);
      expect(await accepts(project)).toContain('Nothing to accept: no session');
      await prompts(project);
      project.write({ 'worktree.yaml': 'post_create: []\n' });
      expect((await stops(project)).decision).toBe('block');
      expect(await accepts(project)).toContain('gate `test` is gone');
      expect(await stops(project)).toEqual({});
    },
  );
});

test('a gate runs the recorded scripts of npm and make', async ({ makeProject }) => {
  const scripts = (test: string) => JSON.stringify({ scripts: { pretest: 'echo pre > pre.txt', test } });
  const makefile = (line: string) => `check: sub\n\t${line}\nsub:\n\t@echo sub\n`;
  const project = makeProject({
    'worktree.yaml': worktreeYaml([
      '{ name: npm, run: npm test -- "a b" }',
      '{ name: make, run: make check }',
    ]),
    'package.json': scripts('tool 5'),
    // npm and the expansion find it in the same place.
    'node_modules/.bin/tool': '#!/bin/sh\necho "tool $*"; test -f green\n',
    Makefile: makefile('test -f green && echo recorded'),
  });
  const { chmodSync, existsSync } = await import('node:fs');
  chmodSync(project.path('node_modules/.bin/tool'), 0o755);
  await prompts(project);
  project.write({ 'package.json': scripts('true'), Makefile: makefile('true') });
  const { decision, reason } = await stops(project);
  expect(decision).toBe('block');
  expect(reason).toContain('tool 5 a b');
  expect(existsSync(project.path('pre.txt'))).toBe(true);
  project.write({ green: '' });
  const later = (await stops(project)).reason;
  expect(later).toContain('The gates pass, but tests or checks are weaker');
  expect(later).toContain('script `test` is weaker');
  expect(later).toContain('`check` of `Makefile` changed since the session began; the gate ran as it was');
});
