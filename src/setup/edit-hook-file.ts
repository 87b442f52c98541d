import type { ConfigProblem } from '../config/validate.ts';
import type { HookFile } from '../hosts/host.ts';
import { isPythonHook, parseHookCommand } from './hook-command.ts';
import { JsonDocument } from './json-document.ts';
import { type HookEntry, readHookFile } from './read-hook-file.ts';

/** A hook as a host's settings shall have it. */
export interface WantedHook {
  readonly event: string;
  /** Types of subagents; undefined where the host binds no hook to them, or where it is the main agent's. */
  readonly matcher: string | undefined;
  /** @param earlier the entry that it takes the place of */
  form(earlier: HookEntry | undefined): { readonly command: string; readonly timeout: number };
}

export type EditedHookFile =
  | { readonly text: string; readonly replacedPythonHooks: readonly HookEntry[] }
  | { readonly problems: readonly ConfigProblem[] };

/**
 * Makes a host's settings have the hooks that are wanted, and none of ours besides: an entry of ours, or of the Python
 * hook, is changed where it stands; what else stands there keeps its order, indentation and comments.
 *
 * @param text empty where there are no settings yet
 * @param wanted at most one an event; none takes ours out again, and leaves the Python hook's
 */
export function editHookFile(
  text: string,
  hookFile: HookFile,
  wanted: readonly WantedHook[],
): EditedHookFile {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const read = readHookFile(text.slice(bom.length), hookFile);
  if ('problems' in read) return read;
  const ours = read.entries.filter((entry) => isOurs(entry, wanted));
  const kept = wanted.map((hook) => ({ hook, entry: ours.find((entry) => canStay(entry, hook)) }));
  const surplus = ours.filter((entry) => !kept.some((pair) => pair.entry === entry));

  const document = new JsonDocument(text.slice(bom.length), hookFile.head);
  for (const { hook, entry } of kept) {
    const earlier = ours.find(({ event }) => event === hook.event);
    if (entry) change(document, hookFile, hook, entry);
    else insert(document, hookFile, hook, earlier);
  }
  // From the last to the first: none of the ways to the others is changed by it.
  for (const { path, groupPath } of surplus.toReversed())
    document.removeWithHolders(document.sizeOf(path.slice(0, -1)) === 1 ? groupPath : path);
  const replacedPythonHooks = ours.filter(({ command }) => isPythonHook(command));
  return { text: bom + document.text, replacedPythonHooks };
}

function isOurs({ command }: HookEntry, wanted: readonly WantedHook[]): boolean {
  return parseHookCommand(command) !== undefined || (wanted.length > 0 && isPythonHook(command));
}

/** The matcher of a group is that of the others in it too: where it is not ours, we need a group of our own. */
function canStay({ event, matcher, isAlone }: HookEntry, hook: WantedHook): boolean {
  return event === hook.event && (isAlone || hook.matcher === undefined || hook.matcher === matcher);
}

function change(document: JsonDocument, hookFile: HookFile, hook: WantedHook, entry: HookEntry): void {
  const { command, timeout } = hook.form(entry);
  const { commandKey, timeoutKey } = hookFile;
  if (entry.command !== command) document.set([...entry.path, commandKey], command);
  if (entry.timeout !== timeout) document.set([...entry.path, timeoutKey], timeout);
  if (entry.isAlone && entry.matcher !== hook.matcher)
    document.set([...entry.groupPath, 'matcher'], hook.matcher);
}

function insert(
  document: JsonDocument,
  hookFile: HookFile,
  hook: WantedHook,
  earlier: HookEntry | undefined,
): void {
  const { command, timeout } = hook.form(earlier);
  const { entry: constants, commandKey, timeoutKey, form } = hookFile;
  const matcher = hook.matcher === undefined ? {} : { matcher: hook.matcher };
  const entry = { ...constants, [commandKey]: command, [timeoutKey]: timeout };
  const item = form === 'flat' ? { ...entry, ...matcher } : { ...matcher, hooks: [entry] };
  document.append(['hooks', hook.event], item);
}
