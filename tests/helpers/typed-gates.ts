import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { Project } from './project.ts';
import { type HookOptions, hookAnswers, mainStops } from './stops.ts';

export const CLAUDE_CODE = { env: { CLAUDECODE: '1' } };

/** A prompt that a person types, as Claude Code hands it to the hook. */
export const types = (project: Project, prompt: string, more = {}) => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: 'session-1',
  cwd: project.root,
  prompt,
  ...more,
});

/** What the hook says to a prompt: nothing, what the agent is to know, or why it is refused. */
export async function typed(project: Project, prompt: string, options: HookOptions = CLAUDE_CODE) {
  const answer = await hookAnswers(project, types(project, prompt), options);
  const { hookSpecificOutput: { additionalContext } = {} } = answer as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  return { ...answer, context: additionalContext };
}

export const stops = (project: Project, more = {}) =>
  hookAnswers(project, mainStops(project, more), CLAUDE_CODE);
export const chains = (project: Project) =>
  project.has('.trellis/.ralph')
    ? readdirSync(project.path('.trellis/.ralph')).filter((name) => name.startsWith('chain-'))
    : [];
export const readChain = (project: Project) =>
  JSON.parse(project.read(`.trellis/.ralph/${chains(project)[0]}`));
/** A git repository with one commit, as a checkpoint needs it. */
export function commitAll(project: Project): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project.root, env: project.environment, stdio: 'ignore' });
  git('init');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'x');
}
