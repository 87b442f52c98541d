const [command, ...args] = process.argv.slice(2);

if (command === 'hook' || command === 'subagent-stop') {
  const { hook } = await import('./commands/hook.ts');
  await hook(args);
}
