import { describe, expect } from 'vitest';
import { countHistory } from '../../../src/history/count-history.ts';
import { openCodeEvents } from '../../../src/history/transcripts/opencode.ts';
import { type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { recordedNames, recordedTranscript, writeInHome } from '../../helpers/transcripts.ts';

const GATES = { 'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']) };
const DATA = '.local/share/opencode';

/** A row of the database, whose column `data` is parsed. */
interface Row {
  readonly table: 'session' | 'message' | 'part';
  readonly id: string;
  readonly [column: string]: unknown;
}

function recordedRows(project: Project): Row[] {
  return recordedNames('opencode').flatMap((name) =>
    recordedTranscript('opencode', name, project.root)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

/** The files of a version that has no database. */
function writeFiles(project: Project): void {
  for (const { table, id, data, ...row } of recordedRows(project)) {
    const places = {
      session: ['session/p', { id, directory: row.directory, time: { updated: row.time_updated } }],
      message: [`message/${row.session_id}`, { id, ...(data as object) }],
      part: [`part/${row.message_id}`, { id, ...(data as object) }],
    } as const;
    const [directory, content] = places[table];
    writeInHome(project, `${DATA}/storage/${directory}/${id}.json`, JSON.stringify(content));
  }
}

const sqlite = await import('node:sqlite' as string).catch(() => undefined);

function writeDatabase(project: Project): void {
  const database = new sqlite.DatabaseSync(writeInHome(project, `${DATA}/opencode.db`, ''));
  database.exec(`create table session (id, parent_id, directory, version, time_created, time_updated);
    create table message (id, session_id, time_created, data);
    create table part (id, message_id, session_id, time_created, data)`);
  for (const { table, ...row } of recordedRows(project)) {
    const columns = Object.keys(row);
    const values = Object.values(row).map((value) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    );
    database
      .prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`)
      .run(...(values as never[]));
  }
  database.close();
}

describe('the recorded sessions of OpenCode', () => {
  test.for([
    ['files', true, writeFiles],
    ['a database', sqlite !== undefined, writeDatabase],
  ] as const)('in %s have a claim of each kind', async ([, isPossible, write], { makeProject, skip }) => {
    if (!isPossible) skip('this Node has no SQLite');
    const project = makeProject(GATES);
    write(project);
    expect(await countHistory({ home: project.home, env: {}, since: undefined })).toMatchObject({
      total: { claims: 5, verified: 1, stale: 1, failed: 1, never_ran: 1, unknown: 1 },
      leftOut: { question: 1 },
      unread: [],
    });
  });

  test('have one turn where the plugin sent the reason of a blocked stop', () => {
    const text = (value: string) => ({ type: 'text', text: value });
    const messages = [
      { createdAt: 1, data: { role: 'user' }, parts: [text('go')] },
      { createdAt: 2, data: { role: 'assistant' }, parts: [text('Done.')] },
      {
        createdAt: 3,
        data: { role: 'user' },
        parts: [text('\nIteration 1/5. Verification failed:\nCommand failed: npm test')],
      },
      { createdAt: 4, data: { role: 'assistant' }, parts: [text('Fixed.')] },
    ];
    const session = { id: 's', directory: '/p', updatedAt: 4, messages: () => messages };
    expect([...openCodeEvents(session)].map(({ kind }) => kind)).toEqual([
      'session',
      'prompt',
      'message',
      'message',
    ]);
  });

  test.skipIf(sqlite !== undefined)(
    'in a database are reported where Node has no SQLite',
    async ({ makeProject }) => {
      const project = makeProject();
      writeInHome(project, `${DATA}/opencode.db`, '');
      const { unread } = await countHistory({ home: project.home, env: {}, since: undefined });
      expect(unread).toMatchObject([{ kind: 'no-sqlite', node: process.versions.node }]);
    },
  );

  test('are found where XDG_DATA_HOME is', async ({ makeProject }) => {
    const project = makeProject(GATES);
    writeFiles(project);
    const env = { XDG_DATA_HOME: `${project.home}/.local/share` };
    expect((await countHistory({ home: '/nowhere', env, since: undefined })).total.claims).toBe(5);
  });
});
