import type { Recording } from '../../src/process/output.ts';
import {
  type CommandHooks,
  type CommandResult,
  type CommandSpec,
  runCommand,
} from '../../src/process/run-command.ts';
import { secretsIn } from '../../src/process/secrets/environment.ts';
import type { Project } from './project.ts';

/** Runs a command in the project, by default with a timeout of ten minutes. */
export function runShell(
  project: Project,
  command: string,
  more: Partial<CommandSpec> = {},
  hooks: CommandHooks = {},
): Promise<CommandResult> {
  const spec = { command, cwd: project.root, env: project.environment, ...more };
  return runCommand({ secrets: secretsIn(spec.env), timeoutMs: 600_000, graceMs: 300, ...spec }, hooks);
}

/** Returns the recorded output in order of arrival; adjacent pieces of one stream are joined. */
export function piecesOf({ head, tail }: Recording): string[] {
  const pieces: { stream: string; text: string }[] = [];
  for (const { stream, text } of [...head, ...tail]) {
    const last = pieces.at(-1);
    if (last?.stream === stream) last.text += text;
    else pieces.push({ stream, text });
  }
  return pieces.map(({ stream, text }) => `${stream}: ${text}`);
}

export function textOf({ head, tail }: Recording): string {
  return [...head, ...tail].map(({ text }) => text).join('');
}
