import { appendFileSync, chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { countHistory } from '../../../src/history/count-history.ts';
import { MAX_LINE } from '../../../src/history/read-lines.ts';
import { appendProjectLog } from '../../../src/state/execution-log.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { putTranscripts, recordedTranscript, writeInHome } from '../../helpers/transcripts.ts';

const GATES = { 'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']) };
const TRANSCRIPTS = '.claude/projects/-home-dev-shop';

function history({ home }: Project, { env = {}, since }: { env?: NodeJS.ProcessEnv; since?: Date } = {}) {
  return countHistory({ home, env, since });
}

/** The recorded session, and the times of its turn. */
function recordedSession(name: string): { session: string; startedAt: Date; endedAt: Date } {
  const lines = recordedTranscript('claude-code', name).trim().split('\n');
  const records = lines
    .map((line) => JSON.parse(line))
    .filter(({ type }) => /^(?:user|assistant)$/.test(type));
  const [first, last] = [records[0], records.at(-1)];
  return {
    session: first.sessionId,
    startedAt: new Date(first.timestamp),
    endedAt: new Date(last.timestamp),
  };
}

describe('a damaged transcript', () => {
  test('with a broken line has the turns of the others', async ({ makeProject }) => {
    const project = makeProject(GATES);
    const [first = '', ...rest] = recordedTranscript('claude-code', 'verified', project.root).split('\n');
    writeInHome(project, `${TRANSCRIPTS}/a.jsonl`, [first, '{"type":"user","message":', ...rest].join('\n'));
    const { total, unread } = await history(project);
    expect([total.verified, unread]).toEqual([1, [{ kind: 'broken-lines', lines: 1 }]]);
  });

  test('whose last line is being written is not broken', async ({ makeProject }) => {
    const project = makeProject(GATES);
    const file = writeInHome(
      project,
      `${TRANSCRIPTS}/a.jsonl`,
      recordedTranscript('claude-code', 'verified', project.root),
    );
    appendFileSync(file, '{"type":"assistant","message":{"content":[{"type":"te');
    expect(await history(project)).toMatchObject({ total: { verified: 1 }, unread: [] });
  });

  test('that ends in the middle of a turn has no claim', async ({ makeProject }) => {
    const project = makeProject(GATES);
    const text = recordedTranscript('claude-code', 'verified', project.root);
    writeInHome(project, `${TRANSCRIPTS}/a.jsonl`, text.slice(0, text.indexOf('"stop_reason":"end_turn"')));
    expect(await history(project)).toMatchObject({ total: { claims: 0 }, leftOut: { 'no-message': 1 } });
  });

  test('with a line that is too long has the turns of the others', async ({ makeProject }) => {
    const project = makeProject(GATES);
    const long = `{"type":"user","x":"${'x'.repeat(MAX_LINE)}"}\n`;
    const text = recordedTranscript('claude-code', 'verified', project.root);
    writeInHome(project, `${TRANSCRIPTS}/a.jsonl`, long + text);
    expect(await history(project)).toMatchObject({
      total: { verified: 1 },
      unread: [{ kind: 'long-lines', lines: 1 }],
    });
  });

  test('of any JSON has no turn', async ({ makeProject }) => {
    const project = makeProject();
    const lines = [
      'null',
      '1',
      '"type":"user"',
      '[]',
      '{"type":"user"}',
      '{"type":"assistant","message":[]}',
    ];
    for (const path of [
      `${TRANSCRIPTS}/a.jsonl`,
      '.codex/sessions/rollout-a.jsonl',
      '.qwen/projects/p/chats/a.jsonl',
    ])
      writeInHome(project, path, lines.join('\n'));
    expect(await history(project)).toMatchObject({ total: { claims: 0 } });
  });
});

describe('the directories of transcripts', () => {
  test('that are missing are no transcripts', async ({ makeProject }) => {
    const { hosts, unread, directories } = await history(makeProject());
    expect([hosts, unread, directories.length]).toEqual([[], [], 7]);
  });

  test('may lead in a circle', async ({ makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, 'codex', ['verified']);
    symlinkSync('..', join(project.home, '.codex/sessions/2026/loop'));
    expect((await history(project)).total.claims).toBe(1);
  });

  test.skipIf(process.getuid?.() === 0)('that cannot be read are reported', async ({ makeProject }) => {
    const project = makeProject();
    const directory = join(project.home, '.codex/sessions');
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0);
    const { unread } = await history(project);
    chmodSync(directory, 0o700);
    expect(unread).toMatchObject([{ kind: 'path', path: directory }]);
  });

  test.for([
    ['CLAUDE_CONFIG_DIR', 'claude-code', '.claude', ''],
    ['CODEX_HOME', 'codex', '.codex', ''],
    ['GEMINI_CLI_HOME', 'gemini', '', ''],
    ['QWEN_HOME', 'qwen', '.qwen', ''],
    ['QWEN_RUNTIME_DIR', 'qwen', '.qwen', ''],
    ['COPILOT_HOME', 'copilot', '.copilot', ''],
  ] as const)('are moved by %s', async ([variable, host, directory], { makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, host, ['verified']);
    const env = { [variable]: join(project.home, directory) };
    const { total } = await countHistory({ home: '/nowhere', env, since: undefined });
    expect(total.verified).toBe(1);
  });
});

test('a turn that a client copied into another transcript counts once', async ({ makeProject }) => {
  const project = makeProject(GATES);
  putTranscripts(project, 'claude-code', ['verified']);
  const text = recordedTranscript('claude-code', 'verified', project.root);
  writeInHome(
    project,
    `${TRANSCRIPTS}/resumed.jsonl`,
    text.replaceAll(/"sessionId":"[^"]+"/g, '"sessionId":"b"'),
  );
  expect((await history(project)).total.claims).toBe(1);
});

test('a turn that ended before --since is left out', async ({ makeProject }) => {
  const project = makeProject(GATES);
  putTranscripts(project, 'claude-code', ['verified']);
  const { endedAt } = recordedSession('verified');
  const [at, later] = [endedAt, new Date(endedAt.getTime() + 1)];
  expect((await history(project, { since: at })).total.claims).toBe(1);
  expect((await history(project, { since: later })).total.claims).toBe(0);
});

test('the usual checks count where the project is gone', async ({ makeProject }) => {
  const project = makeProject();
  const text = recordedTranscript('claude-code', 'verified', join(project.home, 'gone'));
  writeInHome(project, `${TRANSCRIPTS}/a.jsonl`, text);
  expect((await history(project)).total.verified).toBe(1);
});

describe('the stops of ralph-loop', () => {
  test.for([
    ['verified', 'commands-passed', 'passed'],
    ['failed', 'cap-reached', 'failed'],
  ] as const)('are evidence: %s', async ([evidence, why, outcome], { makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, 'claude-code', ['never']);
    const { session, endedAt } = recordedSession('never');
    const gate = { name: 'test', outcome, exit: 0, duration_ms: 1 };
    const time = new Date(endedAt.getTime() + 2000).toISOString();
    await appendProjectLog(project.root, logRecord({ session, time, why, gates: [gate] }));
    const { total, before, since } = await history(project);
    expect([total[evidence], since.claims, before.claims]).toEqual([1, 1, 0]);
  });

  test('divide the claims of their project', async ({ makeProject }) => {
    const project = makeProject(GATES);
    putTranscripts(project, 'claude-code', ['verified', 'stale', 'failed']);
    const { startedAt } = recordedSession('stale');
    await appendProjectLog(project.root, logRecord({ session: 'other', time: startedAt.toISOString() }));
    const { before, since } = await history(project);
    expect([before.claims + since.claims, before.verified, since.stale, since.failed]).toEqual([3, 1, 1, 1]);
  });
});

test('transcripts are only read', async ({ makeProject }) => {
  const project = makeProject(GATES);
  putTranscripts(project, 'claude-code', ['verified']);
  await history(project);
  expect(existsSync(join(project.root, '.trellis'))).toBe(false);
});
