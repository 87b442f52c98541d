import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { canHaveTerminal, inTerminal } from '../helpers/terminal.ts';
import { putTranscripts } from '../helpers/transcripts.ts';

const GATES = { 'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']) };

describe.concurrent('ralph-loop history', () => {
  test('--json has the claims of all hosts', async ({ makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, 'claude-code', ['verified', 'stale', 'failed', 'never', 'piped', 'asked']);
    putTranscripts(project, 'codex', ['verified', 'never']);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['history', '--json']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ claims: 7, verified: 2, stale: 1, failed: 1, never_ran: 2, unknown: 1 },
      before_ralph_loop: { claims: 7 },
      since_ralph_loop: { claims: 0 },
      hosts: [
        { host: 'claude-code', transcripts: 6, turns: 6, claims: 5 },
        { host: 'codex', transcripts: 2, claims: 2 },
      ],
      left_out: { question: 1, no_edits: 0 },
      unread: [],
    });
  });

  test('prints a table', async ({ makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, 'gemini', ['verified', 'never']);
    const { exitCode, stdout } = await ralphLoop(project, ['history']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\nGemini CLI        2        1      0      0         1       0\n');
  });

  test('says where it looked when there are no transcripts', async ({ makeProject }) => {
    const project = makeProject();
    const { exitCode, stdout } = await ralphLoop(project, ['history', '--since', '2026-01-01']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^There are no transcripts of agents since 2026-01-01 00:00/);
    expect(stdout).toContain(`${project.home}/.claude/projects\n`);
  });

  test('refuses a time that is none', async ({ makeProject }) => {
    const { exitCode, stderr } = await ralphLoop(makeProject(), ['history', '--since', 'soon']);
    expect([exitCode, stderr]).toEqual([
      2,
      'Invalid --since "soon", expected 30m, 24h, 7d, 2w or a date like 2026-01-31.\n',
    ]);
  });

  test.skipIf(!canHaveTerminal)(
    'has no colours with NO_COLOR, in a terminal of 60 columns',
    async ({ makeProject }) => {
      const project = makeProject(GATES);
      putTranscripts(project, 'claude-code', ['verified']);
      const { running, screen } = inTerminal(project, 'history', { NO_COLOR: '1' });
      await running;
      expect(screen()).toContain('Claude Code       1        1      0      0         0       0\r\n');
      expect(screen()).not.toContain('\u001b[1m');
    },
  );
});
