import { runHook } from '../hook/hook.ts';

/**
 * `ralph-loop`. The hook and the plain `status` bypass commander: hooks run at every stop of every agent, and status
 * lines call `statusline` or `status` every few seconds, so the start of the program is most of what they cost.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const [command, ...args] = argv.slice(2);
  if ((command === 'hook' || command === 'subagent-stop') && !asksForHelp(args))
    return runHook('ralph-loop', args);
  if (command === 'status' && args.every((arg) => arg === '--json' || arg === '--all')) {
    const { status } = await import('./commands/status.ts');
    process.exitCode = await status({ json: args.includes('--json'), all: args.includes('--all') });
    return;
  }
  if (command === 'statusline' && !asksForHelp(args)) {
    const { statusline } = await import('./commands/statusline.ts');
    return statusline();
  }
  if (command === 'own-run') {
    const { ownRun } = await import('../verification/runner.ts');
    process.exitCode = await ownRun(args[0] ?? '');
    return;
  }
  if (command === 'own-notification') {
    const { runNotification } = await import('../hook/notifier.ts');
    await runNotification(args);
    return;
  }
  const { runProgram } = await import('./program.ts');
  await runProgram(argv);
}

/** `ralph-gate`, the same engine with the command line of Ralph Gate. */
export async function gate(argv: readonly string[]): Promise<void> {
  const args = argv.slice(2);
  if (args.includes('--hook') && !args.includes('--dry-run') && !asksForHelp(args))
    return runHook('ralph-gate', args);
  const { runGateProgram } = await import('./program.ts');
  await runGateProgram(argv);
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
