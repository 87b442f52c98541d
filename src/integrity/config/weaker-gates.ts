// The gates of ralph-loop and its entries in the settings of hosts, before and after → findings.

import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../../base/text.ts';
import { parseGateConfig } from '../../config/gate-config.ts';
import type { Settings } from '../../config/settings.ts';
import { parseWorktree } from '../../config/worktree.ts';
import type { CommandGate } from '../../gates/types.ts';
import { type HookFile, type KnownHost, timeoutSeconds } from '../../hosts/host.ts';
import { isForeignPage, isSamePage, settingsIn } from '../../hosts/plugin-page.ts';
import { HOSTS } from '../../hosts/registry.ts';
import { LAUNCHER } from '../../process/own-command.ts';
import { RULES, type Severity } from '../rules.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';
import { checksIn } from './checks.ts';
import { compareCommands, weakenedChecks } from './commands.ts';
import { at, dataOf, isTable, lineOf } from './data.ts';
import { weakerVariable } from './options.ts';
import { lostPatterns } from './patterns.ts';

const WORKTREE = /^(?:.*\/)?worktree\.yaml$/;
const GATE_CONFIG = /(?:^|\/)(?:gate\.config\.json|\.gaterc(?:\.json)?)$/;

interface PlacedGate {
  readonly gate: CommandGate;
  readonly file: FileChange;
}

/** The gates and settings of a change that judge less. */
export function findWeakerGates({ changes, read }: ProjectChange, parsed: ParsedChanges): Finding[] {
  const files = changes.filter((file) => parsed.has(file));
  const gatesOf = (side: Side) => files.flatMap((file) => parsed.get(file)?.[side]?.gates ?? []);
  const settings = files.flatMap((file) =>
    weakerSettings(file, parsed.get(file)?.before?.settings, parsed.get(file)?.after?.settings),
  );
  return [
    ...weakerGates(gatesOf('before'), gatesOf('after')),
    ...settings,
    ...files.flatMap((file) => nearerConfig(file, read)),
  ];
}

/** A config that is nearer to the agent decides instead of the project's. */
function nearerConfig({ path, before, after }: FileChange, read: ProjectChange['read']): Finding[] {
  const isNested = path.includes('/') && !path.startsWith('.trellis/');
  const hasOuter = ['worktree.yaml', '.trellis/worktree.yaml', 'gate.config.json'].some(
    (outer) => read(outer) !== undefined,
  );
  if (before !== undefined || after === undefined || !isNested || !hasOuter) return [];
  return [
    {
      rule: 'gate-changed',
      severity: 'medium',
      path,
      message: 'a new config decides for this directory instead of that of the project',
    },
  ];
}

interface ParsedFile {
  readonly gates: readonly PlacedGate[];
  /** Undefined in a file that has gates only. */
  readonly settings: Settings | undefined;
}

type Side = 'before' | 'after';

/** The files of a change that have gates. */
export type ParsedChanges = ReadonlyMap<FileChange, Readonly<Record<Side, ParsedFile | undefined>>>;

/** Parses the files of a change that have gates, as every run of the hook does. */
export async function parseGates({ changes }: ProjectChange): Promise<ParsedChanges> {
  const parsed = new Map<FileChange, Record<Side, ParsedFile | undefined>>();
  for (const file of changes)
    if (WORKTREE.test(file.path) || GATE_CONFIG.test(file.path))
      parsed.set(file, { before: await parsedFile(file, 'before'), after: await parsedFile(file, 'after') });
  return parsed;
}

async function parsedFile(file: FileChange, side: Side): Promise<ParsedFile | undefined> {
  const text = file[side];
  if (text === undefined) return undefined;
  const layout = file.path.includes('.trellis/') ? 'trellis' : 'stand-alone';
  const { gates, settings } = WORKTREE.test(file.path)
    ? await parseWorktree(text, layout, '/')
    : { ...(await parseGateConfig(text, { directory: '/', workingDirectory: '/' })), settings: undefined };
  return { gates: gates.map((gate) => ({ gate, file })), settings };
}

/** From the most to the least certain way to recognize a gate again. */
const PAIRINGS: readonly ((a: CommandGate, b: CommandGate) => boolean)[] = [
  (a, b) => a.name === b.name && a.command === b.command,
  (a, b) => a.command === b.command,
  (a, b) => a.name === b.name,
];

function weakerGates(before: readonly PlacedGate[], after: readonly PlacedGate[]): Finding[] {
  const left = new Set(after);
  const pairs = new Map<PlacedGate, PlacedGate>();
  for (const isPair of PAIRINGS)
    for (const placed of before) {
      const partner = pairs.has(placed) ? undefined : [...left].find(({ gate }) => isPair(placed.gate, gate));
      if (!partner) continue;
      pairs.set(placed, partner);
      left.delete(partner);
    }
  const changed = [...pairs].flatMap(([old, now]) =>
    changedGate(old.gate, now.gate).map((each) => finding(now.file, now.gate, each)),
  );
  // A gate that is gone may have been split, or merged with another one.
  const alone = before.filter((placed) => !pairs.has(placed));
  const checksOf = (placed: readonly PlacedGate[]) =>
    placed.flatMap(({ gate, file }) =>
      checksIn(gate.command, { everything: true }).map((check) => ({
        ...check,
        path: '',
        step: gate.name,
        placed: { gate, file },
      })),
    );
  const merged = [...pairs]
    .filter(([old, now]) => old.gate.command !== now.gate.command)
    .map(([, now]) => now);
  const gone = weakenedChecks(checksOf(alone), checksOf([...left, ...merged]));
  const reported = new Set<string>();
  return [
    ...changed,
    ...gone.flatMap(({ before: { placed }, after: check, message }) => {
      if (reported.has(placed.gate.name)) return [];
      reported.add(placed.gate.name);
      const what = check ? message : 'is gone';
      return [finding(placed.file, placed.gate, { what })];
    }),
  ];
}

interface GateChange {
  readonly what: string;
  readonly severity?: Severity;
}

/** What makes a gate judge less than before: each a clause that follows the gate's name. */
function changedGate(before: CommandGate, after: CommandGate): GateChange[] {
  const found: GateChange[] = compareCommands(before.command, after.command).weakened.map(
    ({ message, severity }) => ({ what: `is weaker: ${message}`, severity }),
  );
  if (before.blocking && !after.blocking) found.push({ what: 'no longer blocks' });
  if (after.timeoutSeconds > before.timeoutSeconds && Number.isFinite(after.timeoutSeconds))
    found.push({
      what: `may take ${after.timeoutSeconds} s, before ${before.timeoutSeconds} s`,
      severity: 'medium',
    });
  if (!before.allowEmpty && after.allowEmpty) found.push({ what: 'passes without a test' });
  if ((after.retries ?? 0) > (before.retries ?? 0))
    found.push({ what: `runs up to ${(after.retries ?? 0) + 1} times`, severity: 'medium' });
  if (
    after.paths !== undefined &&
    (before.paths === undefined ||
      lostPatterns(before.paths, after.paths, []).length > 0 ||
      after.paths.some((path) => path.startsWith('!') && !before.paths?.includes(path)))
  )
    found.push({ what: `runs for \`${after.paths.join('`, `')}\` only` });
  if (before.reuse === false && after.reuse !== false)
    found.push({ what: 'may be reused', severity: 'medium' });
  if (before.cwd !== after.cwd) found.push({ what: 'runs in another directory', severity: 'medium' });
  if (
    !isDeepStrictEqual(before.inputs, after.inputs) &&
    (before.inputs ?? []).some((input) => !after.inputs?.includes(input))
  )
    found.push({ what: 'depends on fewer inputs', severity: 'medium' });
  for (const [name, value] of Object.entries(after.env))
    if (before.env[name] !== value)
      found.push(
        ...weakerVariable(name, value, before.env[name]).map(({ what, severity }) => ({
          what,
          ...(severity && { severity }),
        })),
      );
  return found;
}

function finding(file: FileChange, { name, command }: CommandGate, { what, severity }: GateChange): Finding {
  const text = file.after ?? file.before;
  const line = lineOf(text, [text?.includes(name) ? name : command]);
  const rule = /of the tree first/.test(what) ? 'tool-shadowed' : 'gate-changed';
  return {
    rule,
    severity: severity ?? RULES[rule].severity,
    path: file.path,
    ...(line !== undefined && { line }),
    message: `the gate \`${name}\` ${what}`,
  };
}

const MODES = ['off', 'warn', 'block'];

function weakerSettings(
  file: FileChange,
  before: Settings | undefined,
  after: Settings | undefined,
): Finding[] {
  if (!before || !after) return [];
  const found: { readonly key: string; readonly what: string; readonly severity?: Severity }[] = [];
  if (MODES.indexOf(after.integrity) < MODES.indexOf(before.integrity))
    found.push({ key: 'integrity', what: `is \`${after.integrity}\`, before \`${before.integrity}\`` });
  for (const [rule, mode] of Object.entries(after.integrityRules ?? {}))
    if (MODES.indexOf(mode) < MODES.indexOf(before.integrityRules?.[rule as never] ?? before.integrity))
      found.push({ key: 'integrity_rules', what: `has \`${rule}: ${mode}\`` });
  if (before.markers === 'strict' && after.markers !== 'strict')
    found.push({ key: 'markers', what: `is \`${after.markers}\`` });
  if (before.when === 'always' && after.when !== 'always')
    found.push({ key: 'when', what: `is \`${after.when}\``, severity: 'medium' });
  const lost = before.agents.filter((agent) => !after.agents.includes(agent));
  if (lost.length > 0) found.push({ key: 'agents', what: `no longer has \`${lost.join('`, `')}\`` });
  if (after.maxIterations < before.maxIterations)
    found.push({ key: 'max_iterations', what: `is ${after.maxIterations}, before ${before.maxIterations}` });
  if (before.reuse === false && after.reuse)
    found.push({ key: 'reuse', what: 'is `true`', severity: 'medium' });
  if (after.notify !== before.notify && after.notify !== undefined)
    found.push({ key: 'notify', what: `runs \`${oneLine(after.notify, 100)}\``, severity: 'medium' });
  if (after.commandTimeoutSeconds > before.commandTimeoutSeconds)
    found.push({
      key: 'command_timeout',
      what: `is ${after.commandTimeoutSeconds} s, before ${before.commandTimeoutSeconds} s`,
      severity: 'medium',
    });
  return found.map(({ key, what, severity = 'high' }) => {
    const line = lineOf(file.after, ['ralph', key]);
    return {
      rule: 'gate-changed',
      severity,
      path: file.path,
      ...(line !== undefined && { line }),
      message: `the setting \`${key}\` of ralph-loop ${what}`,
    };
  });
}

// --- The entries in hosts' settings.

/** A stop hook that ends sooner answers nothing, and the host allows the stop. */
const USEFUL_SECONDS = 60;
const OWN_COMMAND =
  /(?<![\w-])ralph-(?:hook\.cjs|loop(?:-cli)?(?:\.js|\.py|@\S+)?|gate(?:\.js|@\S+)?)(?![\w-])/;

interface Entry {
  readonly event: string;
  readonly command: string;
  readonly seconds: number;
  readonly matcher: string;
}

/** The entries of ralph-loop that are gone from a host's settings, switched off, or too short. */
export function findRemovedHooks({ changes }: ProjectChange): Finding[] {
  return changes.flatMap((file) => {
    if (file.path === LAUNCHER) return changedLauncher(file);
    const host = HOSTS.find(({ hookFile }) => [hookFile.path, ...hookFile.otherPaths].includes(file.path));
    return host && file.before !== undefined ? [...weakerHooks(host, file), ...changedPage(host, file)] : [];
  });
}

/** As for the launcher: an update of ralph-loop changes it too. */
function changedPage({ title, hookFile }: KnownHost, { path, before, after }: FileChange): Finding[] {
  const isOwn = (text: string | undefined): text is string =>
    text !== undefined && !isForeignPage(text, hookFile);
  if (hookFile.page === undefined || !isOwn(before) || !isOwn(after) || isSamePage(before, after)) return [];
  return [
    {
      rule: 'hook-removed',
      severity: 'medium',
      path,
      message: `the code of the plugin for ${title} changed`,
    },
  ];
}

function changedLauncher({ path, before, after }: FileChange): Finding[] {
  if (before === undefined) return [];
  return [
    after === undefined
      ? { rule: 'hook-removed', severity: 'high', path, message: 'the program that the hooks start is gone' }
      : {
          rule: 'hook-removed',
          severity: 'medium',
          path,
          message: 'the program that the hooks start changed',
        },
  ];
}

function weakerHooks(host: KnownHost, file: FileChange): Finding[] {
  const { path } = file;
  const [old, now] = [settingsOf(host, path, file.before), settingsOf(host, path, file.after)];
  const entries = entriesIn(old, host);
  if (entries.length === 0) return [];
  const found = (message: string, word?: string): Finding => {
    const line = lineOf(file.after, [word]);
    return { rule: 'hook-removed', severity: 'high', path, ...(line !== undefined && { line }), message };
  };
  if (areDisabled(now, host.hookFile) && !areDisabled(old, host.hookFile))
    return [found('all hooks are disabled', 'disable')];
  const left = entriesIn(now, host);
  const isStop = (event: string) => event !== host.hookFile.events.prompt;
  return entries.flatMap((entry) => {
    const others = left.filter(({ event }) => event === entry.event);
    const partner = others.find(({ matcher }) => matcher === entry.matcher) ?? others[0];
    if (!partner) return [found(`ralph-loop is no longer called at ${entry.event}`, entry.event)];
    if (partner.matcher !== entry.matcher && !/^[*.]*$/.test(partner.matcher))
      return [found(`ralph-loop is called at ${entry.event} for \`${partner.matcher}\` only`, entry.event)];
    const [weaker] = compareCommands(entry.command, partner.command).weakened;
    if (weaker) return [found(`the hook at ${entry.event} is weaker: ${weaker.message}`, entry.event)];
    const isTooShort =
      isStop(entry.event) && partner.seconds < entry.seconds && partner.seconds < USEFUL_SECONDS;
    return isTooShort
      ? [found(`the hook at ${entry.event} has ${partner.seconds} s, before ${entry.seconds} s`, entry.event)]
      : [];
  });
}

/** The settings in a host's file, which may be a page of JavaScript. */
function settingsOf({ hookFile }: KnownHost, path: string, text: string | undefined): unknown {
  if (hookFile.page === undefined || text === undefined) return dataOf(path, text);
  return dataOf(`${path}.json`, settingsIn(text, hookFile));
}

function areDisabled(data: unknown, hookFile: HookFile): boolean {
  return isTable(data) && (data.disableAllHooks === true || hookFile.disablesHooks?.(data) === true);
}

function entriesIn(data: unknown, { hookFile, timeout }: KnownHost): Entry[] {
  const hooks = at(data, 'hooks');
  if (!isTable(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, value]) =>
    commandsIn(value, '').map((each) => ({ event, ...each })),
  );

  function commandsIn(value: unknown, matcher: string): Omit<Entry, 'event'>[] {
    if (Array.isArray(value)) return value.flatMap((item) => commandsIn(item, matcher));
    if (!isTable(value) || value.enabled === false || value.disabled === true) return [];
    const own = typeof value.matcher === 'string' ? value.matcher : matcher;
    const command = value[hookFile.commandKey] ?? value.command;
    const inner = commandsIn(value.hooks, own);
    if (typeof command !== 'string' || !OWN_COMMAND.test(command)) return inner;
    const given = value[hookFile.timeoutKey];
    return [
      {
        command,
        matcher: own,
        seconds: timeoutSeconds(timeout, typeof given === 'number' ? given : undefined),
      },
      ...inner,
    ];
  }
}
