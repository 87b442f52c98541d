import { CLAUDE_HOOK_FILE, CLAUDE_PROJECT_DIR, hookSpecificOutput, type KnownHost } from './host.ts';

const CONTEXT_SINCE = '2.1.197';

/**
 * Claude Code sets CLAUDECODE for every process that it starts, including another agent in its shell; the session id
 * distinguishes the two.
 */
export const claudeCode: KnownHost<'claude-code'> = {
  name: 'claude-code',
  title: 'Claude Code',
  recognizes: ({ session_id }, { CLAUDECODE, CLAUDE_CODE_SESSION_ID }) =>
    CLAUDECODE === '1' && (CLAUDE_CODE_SESSION_ID === undefined || CLAUDE_CODE_SESSION_ID === session_id),
  // Without a terminal (`sdk-cli`) there is no further turn when a shell ends or a wake-up is due (measured on 2.1.197).
  wakesMainAgent: ({ CLAUDE_CODE_ENTRYPOINT }) => CLAUDE_CODE_ENTRYPOINT === 'cli',
  stopContext: {
    since: CONTEXT_SINCE,
    // Older versions reject the answer, and allow the stop.
    isTaken: ({ AI_AGENT }) => isFrom(CONTEXT_SINCE, AI_AGENT),
    answer: hookSpecificOutput,
  },
  answerExtras: ['warnings', 'systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  timeout: { unit: 's', defaultSeconds: 600 },
  blockCap: 8,
  projectVariables: [CLAUDE_PROJECT_DIR],
  // Set for MCP servers too; from 2.1.163 on it has the id that hooks get for resumed sessions as well. A server that
  // outlives `/clear` keeps the old id (anthropics/claude-code#65497).
  mcpSessionVariable: 'CLAUDE_CODE_SESSION_ID',
  projectFiles: ['.claude', 'CLAUDE.md'],
  executable: 'claude',
  mcpFile: '.mcp.json',
  hookFile: {
    path: '.claude/settings.json',
    otherPaths: ['.claude/settings.local.json', '~/.claude/settings.json'],
    userDirectory: { path: '~/.claude', variable: 'CLAUDE_CONFIG_DIR' },
    ...CLAUDE_HOOK_FILE,
    // Devin names its own variable alone, and VS Code none: it starts hooks in the root of the workspace.
    projectDirectory: `\${CLAUDE_PROJECT_DIR:-\${DEVIN_PROJECT_DIR:-.}}`,
  },
  sampleStop: (event) => ({
    event,
    env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: event.session_id },
  }),
};

/**
 * Whether the variable names at least this version, as `claude-code_2-1-197_harness`. What the agent starts itself gets
 * another ending.
 */
function isFrom(first: string, agent = ''): boolean {
  const [, version] = /^claude-code_(\d{1,3}-\d{1,5}-\d{1,5})_harness$/.exec(agent) ?? [];
  return version !== undefined && rank(version) >= rank(first);
}

/** A number that grows with the version. */
function rank(version: string): number {
  return version.split(/[.-]/).reduce((sum, part) => sum * 1e5 + Number(part), 0);
}
