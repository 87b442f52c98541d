/**
 * The `[[hooks]]` tables of a TOML file, as `init` prints them, in the JSON of a flat hook file. The hook reads the files of
 * all hosts, so this loads no parser; what it does not recognize is no hook of ralph-loop.
 */
export function tomlHooks(text: string): string {
  const tables = text
    .split(/^(?=[ \t]*\[)/m)
    .filter((table) => /^[ \t]*\[\[[ \t]*hooks[ \t]*\]\]/.test(table));
  const hooks: Record<string, object[]> = {};
  for (const table of tables) {
    const [event, command] = [stringIn(table, 'event'), stringIn(table, 'command')];
    if (event === undefined || command === undefined) continue;
    const [, timeout] = /^[ \t]*timeout[ \t]*=[ \t]*(\d+)/m.exec(table) ?? [];
    hooks[event] = [
      ...(hooks[event] ?? []),
      { command, ...(timeout !== undefined && { timeout: Number(timeout) }) },
    ];
  }
  return JSON.stringify({ hooks });
}

function stringIn(table: string, key: string): string | undefined {
  const [, basic, literal] =
    new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(?:"((?:[^"\\\\\\n]|\\\\.)*)"|'([^'\\n]*)')`, 'm').exec(table) ??
    [];
  return literal ?? basic?.replace(/\\(["\\])/g, '$1');
}

/** A table of `[[hooks]]`; the command is a literal string, which has no escapes. */
export function tomlHook(event: string, command: string, timeout: number): string {
  return `[[hooks]]\nevent = "${event}"\ncommand = '${command}'\ntimeout = ${timeout}\n`;
}
