import { runHook } from '../hook/hook.ts';

/**
 * `ralph-loop`. The hook goes past commander: at every stop of every agent it is the program's start that costs. So does
 * `status`, which status lines call every few seconds.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const [command, ...args] = argv.slice(2);
  if ((command === 'hook' || command === 'subagent-stop') && !wantsHelp(args))
    return runHook('ralph-loop', args);
  if (command === 'status' && args.every((arg) => arg === '--json')) {
    const { status } = await import('./commands/status.ts');
    process.exitCode = await status({ json: args.length > 0 });
    return;
  }
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(argv);
}

/** `ralph-gate`, the same engine in Ralph Gate's words. */
export async function gate(argv: readonly string[]): Promise<void> {
  const args = argv.slice(2);
  if (args.includes('--hook') && !args.includes('--dry-run') && !wantsHelp(args))
    return runHook('ralph-gate', args);
  const { runGateProgram } = await import('./gate-program.ts');
  process.exitCode = await runGateProgram(argv);
}

function wantsHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
