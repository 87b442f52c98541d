import type { ConfigNode, ConfigProblem } from '../config/validate.ts';
import type { HookFile } from '../hosts/host.ts';

/**
 * Checks the form that a host requires of its settings. A host ignores a file with another form, or the hook in it,
 * without a message.
 *
 * @param root the file, whose `hooks` is an object if it is there
 */
export function formProblems(root: ConfigNode, hookFile: HookFile): ConfigProblem[] {
  const { head = {}, onlyKeys, allEvents, switches = [] } = hookFile;
  const events = (member(root, 'hooks')?.node.entries ?? []).filter(({ key }) => !switches.includes(key));
  return [
    ...Object.entries(head).flatMap(([key, value]) => {
      const node = member(root, key)?.node;
      const expected = `expected "${key}": ${JSON.stringify(value)}`;
      if (node === undefined) return [{ ...root.at, message: `found no "${key}", ${expected}` }];
      return node.value === value ? [] : [{ ...node.at, message: `found ${shown(node)}, ${expected}` }];
    }),
    ...(root.entries ?? [])
      .filter(({ key }) => onlyKeys && !onlyKeys.includes(key))
      .map(({ key, keyAt }) => ({
        ...keyAt,
        message: `found the key "${key}", expected only ${quoted(onlyKeys)}: with any other key, the host ignores the file`,
      })),
    ...events
      .filter(({ key }) => allEvents && !allEvents.includes(key))
      .map(({ key, keyAt }) => ({
        ...keyAt,
        message: `found the event "${key}", which the host does not know: it ignores the file`,
      })),
    ...events.flatMap(({ key, node }) =>
      itemsOf(node, `"${key}"`, (item) =>
        hookFile.form === 'flat' ? entryProblems(item, key, hookFile) : groupProblems(item, key, hookFile),
      ),
    ),
  ];
}

function groupProblems(group: ConfigNode, event: string, hookFile: HookFile): ConfigProblem[] {
  if (!group.entries) return [unexpected(group, `a group of "${event}" to be an object`)];
  const hooks = member(group, 'hooks');
  if (!hooks)
    return [
      { ...group.at, message: `found a group of "${event}" without "hooks", expected {"hooks": [ … ]}` },
    ];
  return [
    ...matcherProblems(group),
    ...itemsOf(hooks.node, '"hooks"', (entry) => entryProblems(entry, event, hookFile)),
  ];
}

function entryProblems(entry: ConfigNode, event: string, hookFile: HookFile): ConfigProblem[] {
  const { form, commandKey, timeoutKey, entry: constants } = hookFile;
  if (!entry.entries) return [unexpected(entry, `a hook of "${event}" to be an object`)];
  const type = member(entry, 'type')?.node;
  const timeout = member(entry, timeoutKey)?.node;
  // Copilot has a key for each shell, and accepts `command` too.
  const commands = [commandKey, 'command', 'powershell'].flatMap((key) => member(entry, key)?.node ?? []);
  const problems: ConfigProblem[] = form === 'flat' ? matcherProblems(entry) : [];
  if (type ? typeof type.value !== 'string' : 'type' in constants)
    problems.push({
      ...(type ?? entry).at,
      message: 'found a hook without a type, expected "type": "command"',
    });
  if ((type === undefined || type.value === 'command') && !commands.some(isText))
    problems.push({ ...entry.at, message: `found a hook without a command, expected "${commandKey}": "…"` });
  if (timeout && typeof timeout.value !== 'number')
    problems.push(unexpected(timeout, `"${timeoutKey}" to be a number`));
  return problems;
}

function matcherProblems(node: ConfigNode): ConfigProblem[] {
  const matcher = member(node, 'matcher')?.node;
  return matcher && typeof matcher.value !== 'string' ? [unexpected(matcher, '"matcher" to be text')] : [];
}

function itemsOf(
  node: ConfigNode,
  what: string,
  check: (item: ConfigNode) => ConfigProblem[],
): ConfigProblem[] {
  return node.items ? node.items.flatMap(check) : [unexpected(node, `${what} to be a list`)];
}

function member(node: ConfigNode, name: string) {
  return node.entries?.find(({ key }) => key === name);
}

function isText({ value }: ConfigNode): boolean {
  return typeof value === 'string' && value !== '';
}

function unexpected(node: ConfigNode, expected: string): ConfigProblem {
  return { ...node.at, message: `found ${shown(node)}, expected ${expected}` };
}

function shown({ value }: ConfigNode): string {
  return JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
}

function quoted(keys: readonly string[] = []): string {
  return keys.map((key) => `"${key}"`).join(', ');
}
