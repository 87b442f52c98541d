import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHookFeedback, numberAt, type TranscriptEvent, textAt, valueAt } from '../events.ts';

const EDITS = ['edit', 'write', 'patch', 'multiedit', 'apply_patch'];

/** A session, with its messages and their parts in the order of their ids. Parts without an event may be left out. */
export interface OpenCodeSession {
  readonly id: string;
  readonly directory: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly updatedAt: number;
  messages(): Iterable<OpenCodeMessage>;
}

export interface OpenCodeMessage {
  readonly createdAt: number;
  /** `{role, error}` */
  readonly data: unknown;
  /** `{type, text}`, `{type, tool, state}` */
  readonly parts: readonly unknown[];
}

export function* openCodeEvents({ id, directory, messages }: OpenCodeSession): Generator<TranscriptEvent> {
  yield { kind: 'session', id, cwd: directory };
  for (const { createdAt: at, data, parts } of messages()) {
    if (textAt(data, 'role') === 'user') {
      if (parts.some(isOfPerson)) yield { kind: 'prompt', at };
      continue;
    }
    for (const part of parts) yield* partEvents(part, at);
    if (valueAt(data, 'error') !== undefined) yield { kind: 'interrupted', at };
  }
}

/** The client writes a part of its own after a summary; the plugin of ralph-loop sends the reason of a blocked stop. */
function isOfPerson(part: unknown): boolean {
  const text = textAt(part, 'type') === 'text' ? textAt(part, 'text') : undefined;
  return text !== undefined && valueAt(part, 'synthetic') !== true && !isHookFeedback(text.trimStart());
}

function* partEvents(part: unknown, createdAt: number): Generator<TranscriptEvent> {
  const text = textAt(part, 'text') ?? '';
  if (textAt(part, 'type') === 'text' && text.trim() !== '') yield { kind: 'message', at: createdAt, text };
  if (textAt(part, 'type') !== 'tool') return;
  const [call = '', tool = ''] = [textAt(part, 'callID'), textAt(part, 'tool')];
  const state = valueAt(part, 'state');
  const at = numberAt(state, 'time', 'start') ?? createdAt;
  const isDone = textAt(state, 'status') === 'completed';
  const [command, path] = [textAt(state, 'input', 'command'), textAt(state, 'input', 'filePath')];
  if (tool === 'bash' && command !== undefined) {
    yield { kind: 'command', at, call, command };
    yield { kind: 'result', at, call, exit: numberAt(state, 'metadata', 'exit') ?? null };
  } else if (EDITS.includes(tool)) {
    yield { kind: 'edit', at, call, path };
    yield { kind: 'result', at, call, exit: isDone ? 0 : null };
  }
}

/** What of `node:sqlite` is used. */
interface Database {
  prepare(sql: string): { all(...values: readonly string[]): readonly unknown[] };
  close(): void;
}

/** Why a database cannot be read: Node has SQLite since version 22.5. */
export class NoSqliteError extends Error {}

/**
 * The sessions of OpenCode's database, those of subagents left out. Parts are cut to what decides: outputs stay in the
 * database.
 *
 * @throws NoSqliteError in a Node without SQLite
 * @throws if the database cannot be read
 */
export async function* databaseSessions(path: string): AsyncGenerator<OpenCodeSession> {
  const database = await openDatabase(path);
  try {
    const sessions = database.prepare(
      'select id, directory, time_updated from session where parent_id is null order by time_created',
    );
    const messages = database.prepare(
      `select id, time_created, json_object('role', json_extract(data, '$.role'), 'error', json_extract(data, '$.error')) as data
       from message where session_id = ? order by time_created, id`,
    );
    const parts = database.prepare(
      `select json_object('type', json_extract(data, '$.type'), 'text', json_extract(data, '$.text'),
         'synthetic', json(case json_extract(data, '$.synthetic') when 1 then 'true' else 'false' end),
         'tool', json_extract(data, '$.tool'), 'callID', json_extract(data, '$.callID'),
         'state', json_object('status', json_extract(data, '$.state.status'),
           'input', json_object('command', json_extract(data, '$.state.input.command'),
             'filePath', json_extract(data, '$.state.input.filePath')),
           'metadata', json_object('exit', json_extract(data, '$.state.metadata.exit')),
           'time', json_object('start', json_extract(data, '$.state.time.start')))) as data
       from part where message_id = ? and json_extract(data, '$.type') in ('text', 'tool') order by id`,
    );
    for (const session of sessions.all()) {
      const id = textAt(session, 'id') ?? '';
      yield {
        id,
        directory: textAt(session, 'directory') ?? '',
        updatedAt: numberAt(session, 'time_updated') ?? 0,
        *messages() {
          for (const message of messages.all(id))
            yield {
              createdAt: numberAt(message, 'time_created') ?? 0,
              data: withoutNulls(JSON.parse(textAt(message, 'data') ?? '{}')),
              parts: parts
                .all(textAt(message, 'id') ?? '')
                .map((part) => withoutNulls(JSON.parse(textAt(part, 'data') ?? '{}'))),
            };
        },
      };
    }
  } finally {
    database.close();
  }
}

/** SQL has null for a key that is missing. */
function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

async function openDatabase(path: string): Promise<Database> {
  let sqlite: { DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database };
  const { emitWarning } = process;
  try {
    // Node 22 warns that SQLite is experimental, which is no news to the person.
    process.emitWarning = () => {};
    sqlite = await import('node:sqlite' as string);
  } catch {
    throw new NoSqliteError(`this is Node ${process.versions.node}`);
  } finally {
    process.emitWarning = emitWarning;
  }
  return new sqlite.DatabaseSync(path, { readOnly: true });
}

/**
 * The sessions of an OpenCode that keeps a JSON file for each session, message and part.
 *
 * @param storage absolute directory
 */
export function* storedSessions(storage: string): Generator<OpenCodeSession> {
  for (const project of namesIn(join(storage, 'session')))
    for (const name of namesIn(join(storage, 'session', project))) {
      const session = readJson(join(storage, 'session', project, name));
      const [id, directory] = [textAt(session, 'id'), textAt(session, 'directory')];
      if (id === undefined || directory === undefined || textAt(session, 'parentID') !== undefined) continue;
      yield {
        id,
        directory,
        updatedAt: numberAt(session, 'time', 'updated') ?? 0,
        messages: () => storedMessages(storage, id),
      };
    }
}

function* storedMessages(storage: string, session: string): Generator<OpenCodeMessage> {
  for (const name of namesIn(join(storage, 'message', session))) {
    const data = readJson(join(storage, 'message', session, name));
    const parts = join(storage, 'part', textAt(data, 'id') ?? '');
    yield {
      createdAt: numberAt(data, 'time', 'created') ?? 0,
      data,
      parts: namesIn(parts).map((part) => readJson(join(parts, part))),
    };
  }
}

/** The ids are in the order of time. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
