const [command, ...args] = process.argv.slice(2);

async function main(): Promise<void> {
  if (command === 'hook' || command === 'subagent-stop') {
    const { hook } = await import('./commands/hook.ts');
    await hook(args);
  }
}

main();
