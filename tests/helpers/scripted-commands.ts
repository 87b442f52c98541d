import { NO_OUTPUT } from '../../src/gates/known-results.ts';
import type { CommandEnd, CommandHooks, CommandSpec, RunCommand } from '../../src/process/run-command.ts';

/** How each command ends; a function is called when the command runs. */
export type Script = Readonly<
  Record<string, number | CommandEnd | ((hooks: CommandHooks) => CommandEnd | Promise<CommandEnd>)>
>;

/** Returns a RunCommand that starts no process and records its commands in `specs`. */
export function scriptedCommands(script: Script = {}): { runCommand: RunCommand; specs: CommandSpec[] } {
  const specs: CommandSpec[] = [];
  const runCommand: RunCommand = async (spec, hooks) => {
    specs.push(spec);
    hooks.onOutput?.('stderr', Buffer.from(`${spec.command} prints`));
    const end = script[spec.command] ?? 0;
    return {
      end:
        typeof end === 'number'
          ? { how: 'exited', exitCode: end }
          : typeof end === 'function'
            ? await end(hooks)
            : end,
      durationMs: 7,
      output: { ...NO_OUTPUT, head: [{ stream: 'stderr', text: spec.command }] },
    };
  };
  return { runCommand, specs };
}
