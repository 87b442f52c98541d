import { JsonDocument, type JsonPath } from '../base/json-document.ts';
import { type Result, success } from '../base/result.ts';
import { parseJson } from '../config/parse-json.ts';
import {
  type ConfigEntry,
  type ConfigNode,
  type ConfigProblem,
  formatProblem,
  repeatedKeys,
} from '../config/validate.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import type { EventFields, HookFile, InstalledHook, KnownHost } from '../hosts/host.ts';
import { isCurrentPage, pageText } from '../hosts/own-files.ts';
import { isForeignPage, pageWith, settingsIn, settingsInPlace } from '../hosts/plugin-page.ts';
import { tomlHooks } from '../hosts/toml-hooks.ts';
import { formProblems } from './check-hook-file.ts';
import { isGateHook, isPythonHook, parseHookCommand } from './program.ts';

/** One command in a host's settings. */
export interface HookEntry extends Omit<InstalledHook, 'file'> {
  readonly path: JsonPath;
  /** The path to the object with the matcher: the entry's group, or the entry itself in a flat file. */
  readonly groupPath: JsonPath;
  /** Whether the group has no other entry. */
  readonly isAlone: boolean;
  /** It is in the place of a group, as Ralph Gate wrote it: the host does not run it. */
  readonly isMisplaced: boolean;
  /** The list item with this entry alone, to restore it. */
  readonly item: EventFields;
}

export interface HookFileContent {
  readonly entries: readonly HookEntry[];
  readonly settings: EventFields;
  /** What keeps the host from running the hooks, although an edit would lose nothing. */
  readonly formProblems: FileProblems;
}

type FileProblems = readonly ConfigProblem[];

/**
 * Reads the hooks of a host's settings.
 *
 * @param text blank if there are no settings yet
 * @returns a failure if the JSON is broken or has another form than the host expects: an edit could lose something
 */
export function readHookFile(text: string, hookFile: HookFile): Result<HookFileContent, FileProblems> {
  const json = (hookFile.isOfUser ? tomlHooks(text) : settingsInPlace(text, hookFile)).replace(/^\uFEFF/, '');
  if (json.trim() === '') return success({ entries: [], settings: {}, formProblems: [] });
  const { root, problems } = parseJson(json);
  if (problems.length > 0 || !root) return { ok: false, failure: problems };
  const reader = new HookReader(hookFile);
  const entries = reader.readEntries(root);
  if (reader.problems.length > 0) return { ok: false, failure: reader.problems };
  const settings = root.value as EventFields;
  return success({ entries, settings, formProblems: formProblems(root, hookFile) });
}

class HookReader {
  readonly problems: ConfigProblem[] = [];
  readonly #hookFile: HookFile;

  constructor(hookFile: HookFile) {
    this.#hookFile = hookFile;
  }

  readEntries(root: ConfigNode): HookEntry[] {
    return this.#members(root, 'the file')
      .filter(({ key }) => key === 'hooks')
      .flatMap(({ node }) => this.#members(node, '"hooks"'))
      .filter((event) => this.#isEvent(event))
      .flatMap((event) => this.#entriesOf(event));
  }

  /** Gemini has had switches such as "enabled" and "disabled" beside its events. */
  #isEvent({ key, node: { items } }: ConfigEntry): boolean {
    const events: readonly string[] = Object.values(this.#hookFile.events);
    return events.includes(key) || (items?.every(({ entries }) => entries) ?? false);
  }

  #entriesOf({ key: event, node }: ConfigEntry): HookEntry[] {
    const items = this.#items(node, `"${event}"`);
    if (this.#hookFile.form === 'flat')
      return items.flatMap((item, index) => {
        const path = ['hooks', event, index];
        return this.#entry(event, item, path, { path, node: item, isAlone: true });
      });
    return items.flatMap((group, index) => {
      const path = ['hooks', event, index];
      const hooks = this.#members(group, `a group of "${event}"`).find(({ key }) => key === 'hooks');
      if (!hooks && !group.entries) return [];
      if (!hooks)
        return this.#entry(event, group, path, { path, node: group, isAlone: true, isMisplaced: true });
      const entries = this.#items(hooks.node, '"hooks"');
      const isAlone = entries.length === 1;
      return entries.flatMap((item, entryIndex) =>
        this.#entry(event, item, [...path, 'hooks', entryIndex], { path, node: group, isAlone }),
      );
    });
  }

  #entry(
    event: string,
    item: ConfigNode,
    path: JsonPath,
    group: {
      readonly path: JsonPath;
      readonly node: ConfigNode;
      readonly isAlone: boolean;
      readonly isMisplaced?: boolean;
    },
  ): HookEntry[] {
    const { commandKey, timeoutKey } = this.#hookFile;
    const fields = this.#members(item, `a hook of "${event}"`);
    const field = (key: string) => fields.find((entry) => entry.key === key)?.node.value;
    // Copilot accepts both keys.
    const command = field(commandKey) ?? field('command');
    const timeout = field(timeoutKey);
    const matcher = group.node.entries?.find(({ key }) => key === 'matcher')?.node.value;
    if (typeof command !== 'string') return [];
    const value = item.value as EventFields;
    const isInGroup = group.node !== item;
    return [
      {
        event,
        item: isInGroup ? { ...(matcher !== undefined && { matcher }), hooks: [value] } : value,
        isMisplaced: group.isMisplaced ?? false,
        matcher: typeof matcher === 'string' ? matcher : undefined,
        command,
        timeout: typeof timeout === 'number' ? timeout : undefined,
        path,
        groupPath: group.path,
        isAlone: group.isAlone,
      },
    ];
  }

  #members(node: ConfigNode, what: string): readonly ConfigEntry[] {
    if (!node.entries) return this.#report(node, what, 'an object');
    this.problems.push(...repeatedKeys(node));
    return node.entries;
  }

  #items(node: ConfigNode, what: string): readonly ConfigNode[] {
    return node.items ?? this.#report(node, what, 'a list');
  }

  #report({ at, value }: ConfigNode, what: string, expected: string): [] {
    const found = JSON.stringify(value)?.slice(0, 60);
    this.problems.push({ ...at, message: `found ${found}, expected ${what} to be ${expected}` });
    return [];
  }
}

/** A hook that a host's settings must have. */
export interface RequiredHook {
  readonly event: string;
  /** What it is limited to: types of subagents, or tools; undefined if it is not, or cannot be. */
  readonly matcher: string | undefined;
  /** @param earlier the entry that it replaces */
  form(earlier: HookEntry | undefined): { readonly command: string; readonly timeout: number };
}

interface EditedHookFile {
  readonly text: string;
  /** The hooks of Trellis and Ralph Gate that the file had. */
  readonly replaced: readonly HookEntry[];
}

/**
 * Edits a host's settings so that they have the required hooks and no other hook of ralph-loop. An entry of ralph-loop or
 * of Trellis's Python hook is changed in place; everything else keeps its order, indentation and comments.
 *
 * @param text empty if there are no settings yet
 * @param required at most one hook an event; none removes ralph-loop's hooks and keeps the Python hook
 * @returns a failure also if the file is a page that is not ralph-loop's, and hooks are required
 */
export function editHookFile(
  text: string,
  hookFile: HookFile,
  required: readonly RequiredHook[],
): Result<EditedHookFile, FileProblems> {
  if (isForeignPage(text, hookFile))
    return required.length > 0 ? foreignPage() : success({ text, replaced: [] });
  const content = readHookFile(text, hookFile);
  if (!content.ok) return content;
  const own = content.value.entries.filter((entry) => isReplaceable(entry, required));
  const kept = required.map((hook) => ({ hook, entry: own.find((entry) => canHold(entry, hook)) }));
  const surplus = own.filter((entry) => !kept.some((pair) => pair.entry === entry));

  const document = openSettings(text, hookFile);
  for (const { hook, entry } of kept) {
    const earlier = own.find(({ event }) => event === hook.event);
    if (entry) updateEntry(document, hookFile, hook, entry);
    else insertEntry(document, hookFile, hook, earlier);
  }
  // From the last to the first, so that the indices of the others stay valid.
  for (const { path, groupPath } of surplus.toReversed())
    document.removeWithEmptyParents(document.sizeOf(path.slice(0, -1)) === 1 ? groupPath : path);
  return success({ text: withSettings(text, hookFile, document), replaced: own.filter(isForeign) });
}

function foreignPage(): Result<never, FileProblems> {
  const message = 'found a file that ralph-loop has not written, expected none: move it to another name';
  return { ok: false, failure: [{ line: 1, column: 1, message }] };
}

function openSettings(text: string, hookFile: HookFile): JsonDocument {
  return new JsonDocument(settingsIn(text, hookFile).replace(/^\uFEFF/, ''), hookFile.head);
}

/** The text of a hook file with other settings; a page gets the code of this version. */
function withSettings(text: string, { page }: HookFile, { text: json }: JsonDocument): string {
  if (page !== undefined) return pageWith(pageText(page), json);
  return text.startsWith('\uFEFF') ? `\uFEFF${json}` : json;
}

/** Whether a hook is of Trellis or Ralph Gate. */
export function isForeign({ command }: Pick<HookEntry, 'command'>): boolean {
  return isPythonHook(command) || isGateHook(command);
}

/** Appends hooks that were replaced, except those whose event has such a hook. */
export function restoreHooks(
  text: string,
  hookFile: HookFile,
  hooks: readonly Pick<HookEntry, 'event' | 'item'>[],
): Result<string, FileProblems> {
  if (hooks.length === 0) return success(text);
  const content = readHookFile(text, hookFile);
  if (!content.ok) return content;
  const document = openSettings(text, hookFile);
  for (const { event, item } of hooks)
    if (!content.value.entries.some((entry) => entry.event === event && isForeign(entry)))
      document.append(['hooks', event], item);
  return success(withSettings(text, hookFile, document));
}

function isReplaceable({ command }: HookEntry, required: readonly RequiredHook[]): boolean {
  return parseHookCommand(command) !== undefined || (required.length > 0 && isPythonHook(command));
}

/** All entries of a group share its matcher: if it differs and the group has other entries, a new group is needed. */
function canHold({ event, matcher, isAlone, isMisplaced }: HookEntry, hook: RequiredHook): boolean {
  if (isMisplaced || event !== hook.event) return false;
  return isAlone || hook.matcher === undefined || hook.matcher === matcher;
}

function updateEntry(
  document: JsonDocument,
  { commandKey, timeoutKey, alsoTimeoutKey }: HookFile,
  hook: RequiredHook,
  entry: HookEntry,
): void {
  const { command, timeout } = hook.form(entry);
  if (entry.command !== command) document.set([...entry.path, commandKey], command);
  if (entry.timeout !== timeout) document.set([...entry.path, timeoutKey], timeout);
  if (alsoTimeoutKey) document.set([...entry.path, alsoTimeoutKey], timeout);
  if (entry.isAlone && entry.matcher !== hook.matcher)
    document.set([...entry.groupPath, 'matcher'], hook.matcher);
}

function insertEntry(
  document: JsonDocument,
  { entry: constants, commandKey, timeoutKey, alsoTimeoutKey, form }: HookFile,
  hook: RequiredHook,
  earlier: HookEntry | undefined,
): void {
  const { command, timeout } = hook.form(earlier);
  const matcher = hook.matcher === undefined ? {} : { matcher: hook.matcher };
  const entry = {
    ...constants,
    [commandKey]: command,
    [timeoutKey]: timeout,
    ...(alsoTimeoutKey && { [alsoTimeoutKey]: timeout }),
  };
  const item = form === 'flat' ? { ...entry, ...matcher } : { ...matcher, hooks: [entry] };
  document.append(['hooks', hook.event], item);
}

/** A hook of ralph-loop in a file that a host reads. */
export interface FoundHook extends Omit<HookEntry, 'isMisplaced' | 'item'> {
  /** Relative to the project, beginning with `~/`, or absolute. */
  readonly file: string;
}

/** Cursor writes event names in lower case, and runs Claude Code's hooks under their own names. */
export function isAt({ event }: FoundHook, wanted: string): boolean {
  return event.toLowerCase() === wanted.toLowerCase();
}

/** What a host's files have of ralph-loop. */
export interface FoundHooks {
  /** Hooks at stop events. */
  readonly hooks: readonly FoundHook[];
  /** Hooks at prompt events. */
  readonly prompts: readonly FoundHook[];
  /** Hooks after an edit. */
  readonly edits: readonly FoundHook[];
  /** Trellis's own hooks at stop events. */
  readonly pythonHooks: readonly FoundHook[];
  /** What is wrong in the files, each with file:line:column. */
  readonly problems: readonly string[];
  /** Files with a hook of ralph-loop in a place where the host does not read it. */
  readonly misplaced: readonly string[];
  /** Files that disable all hooks. */
  readonly disabled: readonly string[];
  /** Files that enable ralph-loop's plugin, which has hooks of its own. */
  readonly plugins: readonly string[];
  /** Pages whose code is not that of this version. */
  readonly changedPages: readonly string[];
}

const NO_HOOKS: FoundHooks = {
  hooks: [],
  prompts: [],
  edits: [],
  pythonHooks: [],
  problems: [],
  misplaced: [],
  disabled: [],
  plugins: [],
  changedPages: [],
};

/**
 * Finds the hooks of ralph-loop in all files that a host reads.
 *
 * @param read the text of a file, relative to the project, beginning with `~/` or absolute; undefined if there is none
 */
export function findHooks(host: KnownHost, read: (file: string) => string | undefined): FoundHooks {
  const { path, otherPaths } = host.hookFile;
  const found = [path, ...otherPaths].map((file) => hooksIn(file, host.hookFile, read));
  if (host.runsClaudeHooks) found.push(hooksIn(claudeCode.hookFile.path, claudeCode.hookFile, read));
  return {
    hooks: found.flatMap(({ hooks }) => hooks),
    prompts: found.flatMap(({ prompts }) => prompts),
    edits: found.flatMap(({ edits }) => edits),
    pythonHooks: found.flatMap(({ pythonHooks }) => pythonHooks),
    problems: found.flatMap(({ problems }) => problems),
    misplaced: found.flatMap(({ misplaced }) => misplaced),
    disabled: found.flatMap(({ disabled }) => disabled),
    plugins: found.flatMap(({ plugins }) => plugins),
    changedPages: found.flatMap(({ changedPages }) => changedPages),
  };
}

function hooksIn(file: string, hookFile: HookFile, read: (file: string) => string | undefined): FoundHooks {
  const text = read(file);
  if (text === undefined) return NO_HOOKS;
  const content = readHookFile(text, hookFile);
  if (!content.ok)
    return { ...NO_HOOKS, problems: content.failure.map((problem) => formatProblem(file, problem)) };
  const { entries, settings } = content.value;
  const { main, subagent, prompt, edit } = hookFile.events;
  const found = entries.filter(({ isMisplaced }) => !isMisplaced).map((entry) => ({ ...entry, file }));
  const isStop = ({ event }: FoundHook) => event === main || event === subagent;
  const own = found.filter(({ command }) => parseHookCommand(command));
  const hooks = own.filter(isStop);
  const prompts = own.filter(({ event }) => event === prompt);
  const edits = own.filter(({ event }) => event === edit);
  // The form of a file without a hook of ralph-loop is not its business.
  const isMentioned = mentionsHook(text);
  const problems = isMentioned ? content.value.formProblems : [];
  const isElsewhere =
    isMentioned && problems.length === 0 && hooks.length + prompts.length + edits.length === 0;
  const isDisabled = settings.disableAllHooks === true || hookFile.disablesHooks?.(settings) === true;
  return {
    hooks,
    prompts,
    edits,
    pythonHooks: found.filter((hook) => isStop(hook) && isPythonHook(hook.command)),
    problems: problems.map((problem) => formatProblem(file, problem)),
    misplaced: isElsewhere ? [file] : [],
    disabled: isDisabled ? [file] : [],
    plugins: hasPlugin(settings) ? [file] : [],
    changedPages:
      entries.length > 0 && hookFile.page !== undefined && !isCurrentPage(text, hookFile) ? [file] : [],
  };
}

/** @param text JSON, in which quotes are escaped */
function mentionsHook(text: string): boolean {
  return parseHookCommand(text.replaceAll('\\"', '"')) !== undefined;
}

/** Whether settings enable ralph-loop's plugin, from any marketplace. */
export function hasPlugin({ enabledPlugins }: EventFields): boolean {
  if (typeof enabledPlugins !== 'object' || enabledPlugins === null) return false;
  return Object.entries(enabledPlugins).some(
    ([name, isOn]) => isOn === true && name.startsWith('ralph-loop@'),
  );
}
