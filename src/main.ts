import { hook } from './commands/hook.ts';

const [command, ...args] = process.argv.slice(2);

/** The hook goes past commander: at every stop of every agent it is the program's start that costs. */
async function main(): Promise<void> {
  const wantsHelp = args.includes('--help') || args.includes('-h');
  if ((command === 'hook' || command === 'subagent-stop') && !wantsHelp) return hook(args);
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv);
}

main();
