import type { NamedCommands } from '../known-names.ts';

/** A flag, but none that leads to the scripts of other packages. */
const FLAG = String.raw`-(?!r\b|-recursive|-filter|-workspace)\S+`;
/** npm and bun have commands of their own where `run` is left out, pnpm and yarn hardly any. */
const CALLERS = [
  String.raw`(?:npm|bun)(?:\s+${FLAG})*\s+run(?:-script)?`,
  String.raw`npm(?=\s+(?:test|t)\b)`,
  String.raw`(?:pnpm|yarn)(?:\s+(?:${FLAG}|run)(?=\s))*`,
  'node --run',
];
/** `npm run lint`, `pnpm -s lint`, `node --run lint` */
const CALL = new RegExp(String.raw`\b(?:${CALLERS.join('|')})(?:\s+${FLAG})*\s+(\w[\w:.-]*)`, 'g');
/** `concurrently npm:lint npm:test:*` */
const SHORT_CALL = /\b(?:npm|pnpm|yarn|bun):([\w:.*-]+)/g;
/** `run-s lint test:*` up to the next command. */
const LIST_CALL = /\b(?:npm-run-all2?|run-[sp])\b([^&|;]*)/g;

/** The scripts that a command calls by their names, each once. */
export function scriptsCalledBy(command: string, scripts: NamedCommands): string[] {
  const single = [...command.matchAll(CALL)].map(([, name = '']) => (name === 't' ? 'test' : name));
  const short = [...command.matchAll(SHORT_CALL)].map(([, name = '']) => name);
  const listed = [...command.matchAll(LIST_CALL)].flatMap(([, list = '']) => list.match(/[\w:.*-]+/g) ?? []);
  const called = [...single, ...short, ...listed].flatMap((name) => scriptsLike(name, scripts));
  return [...new Set(called)];
}

/** Whether a command does nothing of its own: it calls scripts, one after the other. */
export function onlyCallsScripts(command: string): boolean {
  const rest = command.replaceAll(LIST_CALL, '').replaceAll(CALL, '');
  return rest !== command && /^[\s&;]*$/.test(rest);
}

/** All that runs with a script: `pretest` and `posttest`, what they call, and what that calls. */
export function scriptsRunBy(script: string, scripts: NamedCommands): Set<string> {
  const seen = new Set<string>();
  const pending = [script];
  for (const name of pending) {
    if (seen.has(name) || !Object.hasOwn(scripts, name)) continue;
    seen.add(name);
    pending.push(`pre${name}`, `post${name}`, ...scriptsCalledBy(scripts[name] ?? '', scripts));
  }
  seen.delete(script);
  return seen;
}

/** The script's commands, and those of all that it runs, a line each. */
export function wholeCommand(script: string, scripts: NamedCommands): string {
  return [script, ...scriptsRunBy(script, scripts)].map((name) => scripts[name] ?? '').join('\n');
}

/** `test:*` stands for `test:unit`, and `test:**` for `test:unit:fast` too. */
function scriptsLike(name: string, scripts: NamedCommands): string[] {
  const pattern = name
    .split(/(\*+)/)
    .map((part) => (part === '*' ? '[^:]+' : part.startsWith('*') ? '.+' : part.replaceAll('.', '\\.')));
  return Object.keys(scripts).filter((script) => new RegExp(`^${pattern.join('')}$`).test(script));
}
