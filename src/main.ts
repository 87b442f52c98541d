import { hook } from './commands/hook.ts';

const [command, ...args] = process.argv.slice(2);

async function main(): Promise<void> {
  if (command === 'hook' || command === 'subagent-stop') await hook(args);
}

main();
