import { parseJson } from '../config/parse-json.ts';
import { type ConfigEntry, type ConfigNode, type ConfigProblem, repeatedKeys } from '../config/validate.ts';
import type { HookFile } from '../hosts/host.ts';

/** The way to a value in a JSON document: keys and indices. */
export type JsonPath = (string | number)[];

/** One command of a host's settings. */
export interface HookEntry {
  readonly event: string;
  /** Types of subagents that its group is bound to; undefined where it is bound to none. */
  readonly matcher: string | undefined;
  readonly command: string;
  /** In the host's unit; undefined where it sets none. */
  readonly timeout: number | undefined;
  readonly path: JsonPath;
  /** The way to what holds the matcher: its group, or itself where there are no groups. */
  readonly groupPath: JsonPath;
  /** Whether it has its group to itself. */
  readonly isAlone: boolean;
}

export type ReadHookFile =
  | { readonly entries: readonly HookEntry[]; readonly root: ConfigNode | undefined }
  /** Why nothing can be changed there. */
  | { readonly problems: readonly ConfigProblem[] };

/**
 * Reads the hooks of a host's settings. What is not as the host wants it, on the way to the hooks, is a problem: a
 * change there could be lost, or lose something.
 *
 * @param text empty, or only blanks, where there are no settings yet
 */
export function readHookFile(text: string, hookFile: HookFile): ReadHookFile {
  if (text.trim() === '') return { entries: [], root: undefined };
  const { root, problems } = parseJson(text);
  if (problems.length > 0 || !root) return { problems };
  const reader = new HookReader(hookFile);
  const entries = reader.entriesIn(root);
  return reader.problems.length > 0 ? { problems: reader.problems } : { entries, root };
}

class HookReader {
  readonly problems: ConfigProblem[] = [];
  readonly #hookFile: HookFile;

  constructor(hookFile: HookFile) {
    this.#hookFile = hookFile;
  }

  entriesIn(root: ConfigNode): HookEntry[] {
    return this.#members(root, 'the file').flatMap(({ key, node }) =>
      key === 'hooks'
        ? this.#members(node, '"hooks"')
            .filter((event) => this.#isEvent(event))
            .flatMap((event) => this.#entriesOf(event))
        : [],
    );
  }

  /** Gemini has had switches beside its events, as "enabled" and "disabled". */
  #isEvent({ key, node: { items } }: ConfigEntry): boolean {
    const stops: readonly string[] = Object.values(this.#hookFile.events);
    return stops.includes(key) || (items?.every(({ entries }) => entries) ?? false);
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
      if (!hooks) return [];
      const entries = this.#items(hooks.node, '"hooks"');
      return entries.flatMap((item, place) =>
        this.#entry(event, item, [...path, 'hooks', place], {
          path,
          node: group,
          isAlone: entries.length === 1,
        }),
      );
    });
  }

  #entry(
    event: string,
    item: ConfigNode,
    path: JsonPath,
    group: { readonly path: JsonPath; readonly node: ConfigNode; readonly isAlone: boolean },
  ): HookEntry[] {
    const { commandKey, timeoutKey } = this.#hookFile;
    const fields = this.#members(item, `a hook of "${event}"`);
    const field = (key: string) => fields.find((entry) => entry.key === key)?.node.value;
    // Copilot takes either word.
    const command = field(commandKey) ?? field('command');
    const [timeout, matcher] = [field(timeoutKey), memberOf(group.node, 'matcher')];
    if (typeof command !== 'string') return [];
    return [
      {
        event,
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
    if (!node.entries) return this.#wrong(node, what, 'an object');
    this.problems.push(...repeatedKeys(node));
    return node.entries;
  }

  #items(node: ConfigNode, what: string): readonly ConfigNode[] {
    return node.items ?? this.#wrong(node, what, 'a list');
  }

  #wrong({ at, value }: ConfigNode, what: string, expected: string): [] {
    const found = JSON.stringify(value)?.slice(0, 60);
    this.problems.push({ ...at, message: `found ${found}, expected ${what} to be ${expected}` });
    return [];
  }
}

function memberOf({ entries = [] }: ConfigNode, key: string): unknown {
  return entries.find((entry) => entry.key === key)?.node.value;
}
