import { isAbsolute, join } from 'node:path';
import type { LineReader } from '../events.ts';
import { claudeCodeReader } from './claude-code.ts';
import { codexReader } from './codex.ts';
import { copilotReader } from './copilot.ts';
import { geminiReader } from './gemini.ts';
import { qwenReader } from './qwen.ts';

/** A host that keeps a file of lines for each session. */
export interface TranscriptHost {
  readonly host: string;
  /** The name for people. */
  readonly title: string;
  /** The absolute directories of its transcripts. */
  directories(home: string, env: NodeJS.ProcessEnv): readonly string[];
  /** The path of a transcript, relative to such a directory. */
  readonly file: RegExp;
  reader(path: string): LineReader;
}

export const TRANSCRIPT_HOSTS: readonly TranscriptHost[] = [
  {
    host: 'claude-code',
    title: 'Claude Code',
    directories: (home, env) => [join(moved(env.CLAUDE_CONFIG_DIR) ?? join(home, '.claude'), 'projects')],
    // Not those of subagents, which are a directory further down or have a name of their own.
    file: /^[^/]+\/(?!agent-)[^/]+\.jsonl$/,
    reader: claudeCodeReader,
  },
  {
    host: 'codex',
    title: 'Codex',
    directories: (home, env) => {
      const codex = moved(env.CODEX_HOME) ?? join(home, '.codex');
      return [join(codex, 'sessions'), join(codex, 'archived_sessions')];
    },
    file: /(?:^|\/)rollout-[^/]+\.jsonl$/,
    reader: codexReader,
  },
  {
    host: 'gemini',
    title: 'Gemini CLI',
    directories: (home, env) => [join(moved(env.GEMINI_CLI_HOME) ?? home, '.gemini', 'tmp')],
    file: /^[^/]+\/chats\/session-[^/]+\.jsonl$/,
    reader: geminiReader,
  },
  {
    host: 'qwen',
    title: 'Qwen Code',
    directories: (home, env) => [
      join(moved(env.QWEN_RUNTIME_DIR) ?? moved(env.QWEN_HOME) ?? join(home, '.qwen'), 'projects'),
    ],
    file: /^[^/]+\/chats\/[^/]+\.jsonl$/,
    reader: qwenReader,
  },
  {
    host: 'copilot',
    title: 'Copilot CLI',
    directories: (home, env) => [join(moved(env.COPILOT_HOME) ?? join(home, '.copilot'), 'session-state')],
    file: /^[^/]+\/events\.jsonl$/,
    reader: copilotReader,
  },
];

/** OpenCode keeps a database, and older versions a file for each message. */
export const OPENCODE = {
  host: 'opencode',
  title: 'OpenCode',
  directory: (home: string, env: NodeJS.ProcessEnv) =>
    join(moved(env.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'opencode'),
} as const;

/** The value of a variable that moves a directory. */
function moved(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) ? value : undefined;
}
