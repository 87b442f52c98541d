/**
 * The session that a host has started this process for, where it says so. Claude Code tells MCP servers the id that its
 * hooks are told, from 2.1.163 on for resumed sessions too; a server that outlives `/clear` keeps the old one
 * (its documentation of environment variables, and its issue 65497).
 */
export function sessionIdIn({ CLAUDE_CODE_SESSION_ID }: NodeJS.ProcessEnv): string | null {
  return CLAUDE_CODE_SESSION_ID || null;
}
