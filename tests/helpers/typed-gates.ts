import { readdirSync } from 'node:fs';
import type { Project } from './project.ts';
import { type HookOptions, hookAnswers, mainStops, sessionOf } from './stops.ts';

export const CLAUDE_CODE = { env: { CLAUDECODE: '1' } };

/** The event of a typed prompt, as Claude Code reports it. */
export const types = (project: Project, prompt: string, more = {}) => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: sessionOf(project),
  cwd: project.root,
  prompt,
  ...more,
});

/** The hook's answer to a prompt; `context` is what it adds for the agent. */
export async function typed(project: Project, prompt: string, options: HookOptions = CLAUDE_CODE) {
  const answer = await hookAnswers(project, types(project, prompt), options);
  const { hookSpecificOutput: { additionalContext } = {} } = answer as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  return { ...answer, context: additionalContext };
}

export const stops = (project: Project, more = {}) =>
  hookAnswers(project, mainStops(project, more), CLAUDE_CODE);

/** Names of the chains' files. */
export const chains = (project: Project) =>
  project.has('@/') ? readdirSync(project.path('@/')).filter((name) => name.startsWith('chain-')) : [];

export const readChain = (project: Project) => JSON.parse(project.read(`@/${chains(project)[0]}`));
