// The settings of runners, checkers and linters, before and after → findings.

import { RULES, type Severity } from '../rules.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';
import type { Check } from './checks.ts';
import { at, dataOf, isTable, lineOf, listOf } from './data.ts';
import { CODE } from './js-config.ts';
import { type Weakening, weakerArguments } from './options.ts';
import { coveredBy, isOutput, isTestOrSetup, lostPatterns } from './patterns.ts';
import { ownerOf, RULE_OF, rowOf, type SettingRow, SHARED_FILES } from './settings.ts';

/** The settings of one tool in one directory. */
interface Settings {
  readonly owner: string;
  readonly file: FileChange;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly levels: ReadonlyMap<string, number>;
  /** The shared configurations that they build on. */
  readonly presets: readonly string[];
}

type Side = 'before' | 'after';

/** The settings of a change that accept more, or cover less. */
export function findWeakerSettings(change: ProjectChange): Finding[] {
  const before = settingsOf(change.changes, 'before');
  const after = settingsOf(change.changes, 'after');
  const fresh = [...after].filter(([group]) => !before.has(group)).map(([, settings]) => settings);
  const context = { change, fresh, all: [...after.values()] };
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((group) => {
    const now = after.get(group);
    const old = before.get(group) ?? (now && predecessor(now, change));
    if (old && now) return compare(old, now, context);
    if (now) return isInUse(now, change) ? compare(emptied(now), now, context) : [];
    if (!old || (old.file.after === undefined && isReplaced(old, fresh, change))) return [];
    return compare(old, emptied(old), { ...context, isGone: true });
  });
}

/** What a file without settings would have. */
function emptied(settings: Settings): Settings {
  return { ...settings, values: new Map(), levels: new Map(), presets: [] };
}

/** The settings that a command of the change read before it read these: `tsc -p tsconfig.loose.json`. */
function predecessor(
  { owner, file: { path } }: Settings,
  { changes, read }: ProjectChange,
): Settings | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const user = changes.find(
    ({ before, after }) => before !== undefined && after?.includes(name) && !before.includes(name),
  );
  if (!user || user.path === path) return undefined;
  const isDefaultUsed = /\btsc\b(?![^"&;\n]*(?:-p|--project|-b)\b)/.test(user.after ?? '');
  const names = [
    ...(user.before?.match(/[\w./-]+\.\w+/g) ?? []),
    ...(isDefaultUsed ? [] : ['tsconfig.json']),
  ];
  const old = names.find(
    (each) => ownerOf(each) === owner && read(each) !== undefined && user.after?.includes(each) !== true,
  );
  if (old === undefined) return undefined;
  return [...settingsOf([{ path: old, before: read(old), after: undefined }], 'before').values()].find(
    (each) => each.owner === owner,
  );
}

interface Context {
  readonly change: ProjectChange;
  /** The settings that were in no changed file before. */
  readonly fresh: readonly Settings[];
  /** All settings of the change as they are now. */
  readonly all: readonly Settings[];
  readonly isGone?: boolean;
}

const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|requirements[\w-]*\.txt|setup\.(?:py|cfg)|Cargo\.toml|Gemfile|composer\.json|Pipfile|pom\.xml|go\.mod)$/;

const FAMILIES: readonly RegExp[] = [
  /^(?:jest|vitest|mocha|ava|karma|jasmine|nyc|cypress|playwright|wdio)$/,
  /^(?:eslint|biome|oxlint|tslint|xo|stylelint|ignore-file)$/,
  /^(?:ruff|flake8|pylint|pycodestyle|pydocstyle|black|isort)$/,
  /^(?:mypy|pyright)$/,
  /^(?:pytest|coverage)$/,
  /^(?:phpstan|psalm)$/,
  /^(?:maven|gradle)$/,
  /^tsconfig/,
];

/** Whether settings of another tool for the same purpose have come in their place. */
function isReplaced({ owner }: Settings, fresh: readonly Settings[], { changes }: ProjectChange): boolean {
  const isUnused = changes.some(
    ({ path, before, after }) =>
      MANIFEST.test(path) && after !== undefined && before?.includes(owner) && !after.includes(owner),
  );
  if (isUnused) return true;
  const family = FAMILIES.find((each) => each.test(owner));
  return family !== undefined && fresh.some((other) => family.test(other.owner));
}

/** Whether a tool whose settings are new was used before: no manifest of the change brings it. */
function isInUse({ owner, file }: Settings, { changes }: ProjectChange): boolean {
  if (/^tsconfig/.test(owner)) return false;
  if (owner === 'ignore-file') return true;
  if (/^(?:cargo|maven|gradle|msbuild|checker|action)$/.test(owner) && file.before === undefined)
    return false;
  const directory = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  return !changes.some(({ path, before, after }) => {
    if (!MANIFEST.test(path) || after === undefined) return false;
    const isNew = before === undefined && path.startsWith(directory);
    return isNew || (after.includes(owner) && !(before ?? '').includes(owner) && path !== file.path);
  });
}

function settingsOf(changes: readonly FileChange[], side: Side): Map<string, Settings> {
  const groups = new Map<string, Settings>();
  for (const file of changes) {
    const text = file[side];
    if (text === undefined) continue;
    for (const { owner, data } of sectionsOf(file.path, text)) {
      const directory = file.path.slice(0, file.path.lastIndexOf('/') + 1);
      const own = /^(?:tsconfig|msbuild|rubocop|phpstan|ignore-file|gradle)$/.test(owner)
        ? file.path
        : directory;
      const group = `${owner} ${own}`;
      const read = { owner, file, values: valuesIn(data), ...levelsIn(data) };
      const known = groups.get(group);
      groups.set(group, known ? merged(known, read) : read);
    }
  }
  return groups;
}

function merged(a: Settings, b: Settings): Settings {
  return {
    ...b,
    values: new Map([...a.values, ...b.values]),
    levels: new Map([...a.levels, ...b.levels]),
    presets: [...a.presets, ...b.presets],
  };
}

function sectionsOf(path: string, text: string): { owner: string; data: unknown }[] {
  const owner = ownerOf(path);
  if (owner === 'rspec') return [{ owner, data: { arguments: text.replace(/\s+/g, ' ') } }];
  if (owner === 'ignore-file') return [{ owner, data: { entries: listOf(text.replaceAll(',', '\n')) } }];
  if (owner !== undefined) {
    const data = dataOf(path, text);
    if (owner === 'jest' && isTable(data) && isTable(data.jest)) return [{ owner, data: data.jest }];
    if (owner === 'pytest' || owner === 'flake8') return [{ owner, data: at(data, owner) ?? data }];
    if (owner === 'mypy') return [{ owner, data: withModules(data, 'mypy') }];
    return data === undefined
      ? []
      : [{ owner, data: owner === 'vitest' ? (at(data, 'test') ?? data) : data }];
  }
  const places = SHARED_FILES.find(([pattern]) => pattern.test(path))?.[1] ?? [];
  if (places.length === 0) return [];
  const data = dataOf(path, text);
  return places.flatMap(([name, ...keys]) => {
    const section = at(data, ...keys);
    if (name === 'mypy' && keys[0] === 'mypy') return [{ owner: name, data: withModules(data, 'mypy') }];
    return section === undefined ? [] : [{ owner: name, data: section }];
  });
}

/** The options of mypy, and of its sections for modules, in one table. */
function withModules(data: unknown, main: string): unknown {
  if (!isTable(data)) return data;
  const { [main]: own, ...others } = data;
  const modules = Object.entries(others).filter(([name]) => name.startsWith('mypy-'));
  return { ...(isTable(own) ? own : {}), ...Object.fromEntries(modules) };
}

/** The name of an item of a list, which stays the same when other items come and go. */
function labelOf(item: Readonly<Record<string, unknown>>): string {
  const label =
    item.name ??
    item.id ??
    item['@name'] ??
    item.files ??
    item.includes ??
    item.include ??
    item.module ??
    item.path ??
    at(item, 'test', 'name');
  return typeof label === 'string' ? label : Array.isArray(label) ? label.join(',') : '';
}

/** The scalars of a configuration by the keys that lead to them. */
function valuesIn(data: unknown, prefix = '', found = new Map<string, string[]>()): Map<string, string[]> {
  const add = (value: unknown) => {
    const values = found.get(prefix);
    if (values) values.push(String(value));
    else found.set(prefix, [String(value)]);
  };
  const key = (name: string) => (prefix === '' ? name : name === '' ? prefix : `${prefix}.${name}`);
  if (Array.isArray(data)) {
    if (data.length === 0) found.set(prefix, found.get(prefix) ?? []);
    for (const item of data) {
      if (isTable(item)) valuesIn(item, key(labelOf(item)), found);
      else if (Array.isArray(item)) valuesIn(item, prefix, found);
      else if (item !== undefined) add(item);
    }
  } else if (isTable(data)) {
    // Maven's plugins differ by this element.
    const artifact =
      typeof data.artifactId === 'string' && prefix.endsWith('plugin') ? `${data.artifactId}.` : '';
    for (const [name, value] of Object.entries(data)) valuesIn(value, key(artifact + name), found);
  } else if (data !== undefined) add(data);
  return found;
}

const RANKS: Readonly<Record<string, number>> = {
  off: 0,
  none: 0,
  false: 0,
  '0': 0,
  allow: 0,
  disable: 0,
  disabled: 0,
  silent: 0,
  suppress: 0,
  null: 0,
  skip: 0,
  minimum: 1,
  warn: 1,
  warning: 1,
  '1': 1,
  suggestion: 1,
  info: 1,
  information: 1,
  hint: 1,
  warnings: 1,
  annotations: 1,
  basic: 1,
  refactoring: 0.5,
  default: 1,
  standard: 1.5,
  error: 2,
  deny: 2,
  forbid: 3,
  '2': 2,
  true: 2,
  on: 2,
  fatal: 2,
  enable: 2,
  strict: 2,
  normal: 2,
  recommended: 2,
  all: 3,
};

function rankOf(value: unknown): number | undefined {
  const word = Array.isArray(value) ? value[0] : isTable(value) ? (value.level ?? value.severity) : value;
  return RANKS[String(word === undefined ? '?' : word).toLowerCase()];
}

/** The severities of rules by name and block, and the presets around them. */
function levelsIn(data: unknown): { levels: Map<string, number>; presets: string[] } {
  const levels = new Map<string, number>();
  const presets: string[] = [];
  const block = (value: unknown, label: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (isTable(item)) block(item, labelOf(item) || label);
        else if (Array.isArray(item)) block(item, label);
        else if (typeof item === 'string' && item.startsWith(CODE)) presets.push(item.slice(CODE.length));
      }
      return;
    }
    if (!isTable(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === 'extends') presets.push(...listOf(member).map((each) => each.replace(CODE, '')));
      else if (key === 'rules' || key === 'jsRules' || key === 'categories') rules(member, label);
      else if (key.startsWith('...')) presets.push(key.slice(3));
      else if (
        /^(?:overrides|linter)$/.test(key) ||
        (isTable(member) && !/^(?:settings|languageOptions|parserOptions|env)$/.test(key))
      )
        block(member, label);
      else if (key === 'overrides') block(member, label);
    }
  };
  const rules = (value: unknown, label: string): void => {
    if (!isTable(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (name.startsWith('...')) presets.push(name.slice(3));
      const rank = rankOf(member);
      if (rank !== undefined) levels.set(label === '' ? name : `${name} ${label}`, rank);
      else if (isTable(member)) rules(member, label);
    }
  };
  block(data, '');
  return { levels, presets };
}

function compare(old: Settings, now: Settings, context: Context): Finding[] {
  const text = now.file.after;
  const found: Finding[] = [];
  const report = (
    rule: Finding['rule'],
    severity: Severity | undefined,
    message: string,
    ...words: (string | undefined)[]
  ) => {
    const line = lineOf(text ?? now.file.before, words);
    found.push({
      rule,
      severity: severity ?? RULES[rule].severity,
      path: now.file.path,
      ...(line !== undefined && { line }),
      message,
    });
  };
  for (const key of new Set([...old.values.keys(), ...now.values.keys()])) {
    const row = rowOf(now.owner, key, now.values.get(key) ?? old.values.get(key) ?? []);
    if (!row || (row.meaning === 'levels' && LINTERS.test(now.owner))) continue;
    if (!now.values.has(key) && isInherited(key, old, context)) continue;
    for (const { rule, severity, what } of weakerValue(row, key, old, now, context))
      report(
        rule,
        row.severity ?? severity,
        `\`${shortKey(key)}\` of ${now.owner} ${what}`,
        ...key.split('.').slice(-2),
        /`([^`]+)`/.exec(what)?.[1],
      );
  }
  if (LINTERS.test(now.owner)) {
    for (const { rule, severity, message, name } of weakerLevels(old, now))
      report(rule, severity, message, name);
  }
  return found;
}

/** Whether a file of the same tool that holds for all below its directory has the same value now. */
function isInherited(key: string, { owner, file, values }: Settings, { all }: Context): boolean {
  const value = values.get(key)?.join();
  return all.some(
    (other) =>
      other.owner === owner &&
      other.file !== file &&
      file.path.startsWith(other.file.path.slice(0, other.file.path.lastIndexOf('/') + 1)) &&
      other.values.get(key)?.join() === value,
  );
}

const LINTERS = /^(?:eslint|oxlint|stylelint|tslint|biome|xo|htmlhint|commitlint)$/;

function shortKey(key: string): string {
  return key.length > 60 ? `…${key.slice(-59)}` : key;
}

const TRUE = /^(?:true|1|yes|on|enable|enabled|error|t)$/i;
const isOn = (values: readonly string[] | undefined) => values?.some((value) => TRUE.test(value)) ?? false;
const isOff = (values: readonly string[] | undefined) =>
  values?.some((value) => /^(?:false|0|no|off|disable|disabled|none|null)$/i.test(value)) ?? false;

/** Formatters disagree with these; turning them off is their documentation's advice. */
const FORMATTING_CODES =
  /^(?:E203|E501|W503|W504|E701|COM812|ISC001|C0330|C0326|Q000|D\d*|S101|(?:CS)?(?:1591|1573|1712)|NU\d+|bad-continuation|line-too-long)$/;

/** Lines that no test can reach, or that do nothing. */
const NEVER_COVERED =
  /TYPE_CHECKING|NotImplemented|abstract|overload|Protocol|__(?:main|repr|str)__|pragma|assert_never|^\\?\.{3}/;

function weakerValue(
  row: SettingRow,
  key: string,
  old: Settings,
  now: Settings,
  context: Context,
): Weakening[] {
  const { meaning } = row;
  const rule = row.rule ?? RULE_OF[meaning];
  const [before, after] = [old.values.get(key), now.values.get(key)];
  const found = (what: string, severity?: Severity): Weakening[] => [
    { rule, what, ...(severity && { severity }) },
  ];
  switch (meaning) {
    case 'include': {
      if (after === undefined || after.length === 0) return [];
      if (before === undefined && /(?:^|\.)projects\./.test(key)) return [];
      return weakerInclude(before, after, now.owner, context).flatMap((what) => found(what));
    }
    case 'include regex': {
      const lost = SAMPLE_TESTS.filter(
        (path) =>
          before?.some((pattern) => matchesRegex(pattern, path)) &&
          !after?.some((pattern) => matchesRegex(pattern, path)),
      );
      return after !== undefined && lost.length > 0 ? found(`no longer matches \`${lost[0]}\``) : [];
    }
    case 'leave out':
    case 'leave out of coverage': {
      const isKnown = coveredBy((before ?? []).flatMap(listOf).map(withoutSlashes));
      const added = (after ?? []).flatMap(listOf).filter((item) => {
        const clean = withoutSlashes(item);
        if (item.startsWith(CODE) || item.startsWith('!') || isOutput(item)) return false;
        if (meaning === 'leave out of coverage' && isTestOrSetup(item)) return false;
        return !isKnown(clean);
      });
      return added.length > 0 ? found(`leaves out \`${added.join('`, `')}\``) : [];
    }
    case 'off': {
      const known = new Set((before ?? []).flatMap(listOf));
      const prefixes = [...known].filter((other) => /^[A-Z]+\d*$/.test(other));
      const added = (after ?? [])
        .flatMap(listOf)
        .filter(
          (item) =>
            !known.has(item) &&
            !FORMATTING_CODES.test(item) &&
            !NEVER_COVERED.test(item) &&
            !prefixes.some((other) => item.startsWith(other)) &&
            !/^\$\(|^code:/.test(item),
        );
      const isOfTests = /per-file/.test(key) && /test|conftest|__init__/.test(key + added.join(' '));
      return added.length > 0
        ? found(`turns off \`${added.slice(0, 4).join('`, `')}\``, isOfTests ? 'medium' : undefined)
        : [];
    }
    case 'on': {
      const left = (after ?? []).flatMap(listOf);
      const kept = new Set(left);
      const lost = (before ?? [])
        .flatMap(listOf)
        .filter(
          (item) => !kept.has(item) && !left.some((other) => item.startsWith(other) || /^all$/i.test(other)),
        );
      const isDefault = after === undefined && context.isGone !== true && now.owner !== 'golangci';
      return lost.length > 0 &&
        !(isDefault && now.owner === 'ruff' && lost.every((item) => /^(?:E[479]?|F)$/.test(item)))
        ? found(`no longer turns on \`${lost.slice(0, 4).join('`, `')}\``)
        : [];
    }
    case 'fewer': {
      const [old, now] = [before ?? [], after ?? []];
      const lost = old.filter((item) => !now.includes(item));
      // Support of old versions ends.
      const isOld = now.length > 0 && lost.every((item) => /^[\d.]+(?:-\w+)?$/.test(item));
      return lost.length > 0 && !isOld && now.every((item) => old.includes(item))
        ? found(`no longer has \`${lost.join('`, `')}\``)
        : [];
    }
    case 'strict':
      return weakerSwitch(key, old, now).flatMap((what) => found(what));
    case 'loose': {
      // Maven's and Gradle's `skip` belong to many plugins.
      if (
        /(?:^|\.)skip$/.test(key) &&
        !/surefire|failsafe|checkstyle|pmd|spotbugs|jacoco|enforcer|detekt|ktlint|test/i.test(key)
      )
        return [];
      return isOn(after) && !isOn(before) ? found(`is \`${after?.[0]}\``) : [];
    }
    case 'min':
      return weakerMinimum(key, old, now, context).flatMap((what) => found(what));
    case 'max': {
      const isZeroByDefault = /threshold$|maxIssues$|maxDiffPixel\w+$/.test(key);
      const from = before === undefined && isZeroByDefault ? 0 : numberOf(before);
      const to = numberOf(after);
      return from !== undefined && to !== undefined && to > from
        ? found(`is \`${after?.[0]}\`, before \`${before?.[0] ?? 0}\``)
        : [];
    }
    case 'retries': {
      const most = (values: readonly string[] | undefined) =>
        Math.max(0, ...(values ?? []).flatMap((value) => (value.match(/\d+/g) ?? []).map(Number)));
      return most(after) > most(before) ? found(`repeats what failed up to ${most(after)} times`) : [];
    }
    case 'arguments': {
      if (!/^(?:addopts|arguments)$/.test(key))
        return after !== undefined &&
          !after.some((value) => isComputed(value) || value === '' || isOff([value])) &&
          after.join() !== before?.join()
          ? found(`is limited by \`${after.join(' ')}\``)
          : [];
      return weakerArguments(checkOf(now.owner, before), checkOf(now.owner, after)).map(
        ({ what, ...rest }) => ({ ...rest, what }),
      );
    }
    case 'judge':
      return after?.some((value) => OF_TREE.test(value) && !before?.includes(value))
        ? found(`is \`${after.join('`, `')}\`, a program of the tree`)
        : [];
    case 'levels': {
      // Nothing is asserted there without being named.
      if (now.owner === 'lighthouse' && before === undefined) return [];
      const [from, to] = [rankOf(before), rankOf(after)];
      if (
        to === undefined
          ? from === undefined || from < 2 || after !== undefined
          : from !== undefined
            ? to >= from
            : to > 0
      )
        return [];
      // An analyzer's severity that is set to none is one that was on.
      if (after === undefined) return found('is gone', 'medium');
      return found(`is \`${after[0]}\`${before ? `, before \`${before[0]}\`` : ''}`);
    }
  }
}

const OF_TREE = /^(?:\.{1,2}\/|<rootDir>|code:.*(?:resolve|join|new URL))/;

/** Whether a value is an expression other than a regular expression. */
function isComputed(value: string): boolean {
  return value.startsWith(CODE) && !value.startsWith(`${CODE}/`);
}

function withoutSlashes(pattern: string): string {
  return pattern.replace(/^<rootDir>/, '').replace(/^\.?\/+|\/+$/g, '');
}

function checkOf(tool: string, values: readonly string[] | undefined): Check {
  const words = (values ?? []).join(' ').match(/"[^"]*"|'[^']*'|[^\s"']+(?:"[^"]*"|'[^']*')?/g) ?? [];
  const args = words.map((word) => word.replace(/(["'])(.*)\1/, '$2'));
  return { tool, subject: 'tests', args, env: {}, text: tool, line: 0 };
}

const SAMPLE_TESTS = [
  'src/sample.test.ts',
  'src/sample.spec.ts',
  'src/sample.test.js',
  'src/sample.spec.js',
  'src/sample.test.tsx',
  'src/sample.test.jsx',
  'src/__tests__/sample.ts',
  'src/__tests__/sample.js',
  'tests/sample.test.ts',
  'tests/unit/sample.test.ts',
  'tests/integration/sample.test.ts',
  'test/sample.js',
  'test/sample.test.js',
  'test/unit/sample.spec.js',
  'e2e/sample.e2e-spec.ts',
  'src/sample.e2e-spec.ts',
  'src/sample.e2e.ts',
];

function matchesRegex(pattern: string, path: string): boolean {
  try {
    return new RegExp(pattern.replace(CODE, '').replace(/^\/(.*)\/\w*$/, '$1')).test(`/${path}`);
  } catch {
    return false;
  }
}

/** What is checked, if it was everything by default. */
const BROAD =
  /^(?:<rootDir>\/?)?(?:\.\/)?(?:!|code:|\*\*|\*|\.?$|\/|(?:src|tests?|specs?|packages|apps|libs?|app|__tests__|e2e|cypress|features|[\w-]*_tests?\b)(?:\/\*\*|\/?$|\/\*|\/__tests__))|^test_\*|^\*_test|^\w*\*|^types|\.d\.ts$/;

function weakerInclude(
  before: readonly string[] | undefined,
  after: readonly string[],
  owner: string,
  { change }: Context,
): string[] {
  const now = after.flatMap(listOf);
  const old = (before ?? []).flatMap(listOf);
  if (now.some((item) => item.startsWith(CODE)) && !now.some((item) => !item.startsWith(CODE))) return [];
  const leftOut = now.filter(
    (item) => item.startsWith('!') && !old.includes(item) && !isOutput(item) && !isTestOrSetup(item),
  );
  const removed =
    leftOut.length > 0 && before !== undefined ? [`leaves out \`${leftOut.join('`, `')}\``] : [];
  const positive = now.filter((item) => !item.startsWith('!'));
  if (before === undefined || old.length === 0)
    return positive.length > 0 &&
      !positive.some((item) => BROAD.test(item)) &&
      !/^(?:cargo|sonar|codecov)$/.test(owner) &&
      (owner !== 'tsconfig' || positive.every((item) => /\.[cm]?[jt]sx?$/.test(item) && !item.includes('*')))
      ? [`is limited to \`${positive.join('`, `')}\``]
      : [];
  const fresh = change.changes
    .filter(
      ({ path, oldPath, before: text, after: now }) =>
        now !== undefined && (text === undefined || (oldPath !== undefined && oldPath !== path)),
    )
    .map(({ path }) => path);
  const gone = change.changes.filter(({ after: text }) => text === undefined).map(({ path }) => path);
  const lost = lostPatterns(old, positive, fresh).filter(
    (pattern) =>
      !pattern.startsWith(CODE) &&
      !(
        /^[\w./-]+$/.test(pattern) &&
        gone.some((path) => path === pattern || path.startsWith(`${withoutSlashes(pattern)}/`))
      ),
  );
  return [...removed, ...(lost.length > 0 ? [`no longer covers \`${lost.join('`, `')}\``] : [])];
}

const STRICT_FAMILY = /\.(?:strict\w*|noImplicitAny|noImplicitThis|alwaysStrict|useUnknownInCatchVariables)$/;
/** Switches that are on unless a file says otherwise. */
const ON_BY_DEFAULT =
  /(?:^|\.)(?:enabled|isEnabled|onlyIf\.value|Enabled|active|test|autotests|IsTestProject|recommended|failIfNo\w+|failOnNo\w+|run\.tests|failOnEmptyTestSuite|strict_optional|abortOnError|isAbortOnError|failOnViolation|failsOnError|project|patch|forceConsistentCasingInFileNames|EnableNETAnalyzers|diagnostics)$/;
const MYPY_STRICT =
  /^(?:disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_optional|extra_checks|strict_\w+)$/;

function weakerSwitch(key: string, old: Settings, now: Settings): string[] {
  const [before, after] = [old.values.get(key), now.values.get(key)];
  if (isOn(after) || (after !== undefined && !isOff(after))) return [];
  const last = key.slice(key.lastIndexOf('.') + 1);
  const umbrella = [...now.values].some(([name, value]) => /(?:^|\.)strict$/.test(name) && isOn(value));
  const isOfFamily = STRICT_FAMILY.test(key) || (now.owner === 'mypy' && MYPY_STRICT.test(last));
  if (after === undefined) {
    if (!isOn(before) || ON_BY_DEFAULT.test(key) || (isOfFamily && umbrella)) return [];
    const hasNewBase = now.values.get('extends')?.join() !== old.values.get('extends')?.join();
    return hasNewBase && now.values.has('extends') ? [] : [`is gone, before \`${before?.[0]}\``];
  }
  if (isOn(before)) return [`is \`${after[0]}\`, before \`${before?.[0]}\``];
  if (before !== undefined) return [];
  // Jobs whose names are keys of a preset: what they set to false was on.
  const wasOn =
    ON_BY_DEFAULT.test(key) ||
    // Nobody switches off what was off.
    /(?:^|[.@])(?:fail|forbid|treat)\w*$/i.test(key) ||
    (isOfFamily && (umbrella || now.values.has('extends')));
  return wasOn ? [`is \`${after[0]}\``] : [];
}

/** The last value that is a number: the severity of a rule precedes its limit. Of a size, its bytes. */
function numberOf(values: readonly string[] | undefined): number | undefined {
  const [, number, unit = ''] =
    values?.map((value) => NUMBER.exec(value)).findLast((match) => match !== null) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * 1000 ** ['', 'k', 'm', 'g'].indexOf(unit.slice(0, 1).toLowerCase());
}

const NUMBER = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([kmg]i?b\b)?/i;

function weakerMinimum(key: string, old: Settings, now: Settings, { fresh }: Context): string[] {
  const [before, after] = [old.values.get(key), now.values.get(key)];
  if (now.owner === 'phpstan' && before?.[0] === 'max' && after?.[0] !== 'max')
    return after === undefined ? [] : [`is \`${after[0]}\`, before \`max\``];
  const [from, to] = [numberOf(before), numberOf(after)];
  if (from === undefined && !isOn(before)) return now.owner === 'golangci' && to === 0 ? ['is `0`'] : [];
  const limit = from ?? 100;
  if (to !== undefined) return to < limit ? [`is \`${after?.[0]}\`, before \`${before?.[0]}\``] : [];
  if (after !== undefined) return isOff(after) ? [`is \`${after[0]}\``] : [];
  const last = key.slice(key.lastIndexOf('.') + 1);
  const sameElsewhere = [now, ...fresh].some(({ values }) =>
    [...values].some(
      ([name, value]) =>
        (name.endsWith(`.${last}`) || name === last || /(?:^|\.)(?:100|fail_under|global)$/.test(name)) &&
        ((numberOf(value) ?? 0) >= limit || isOn(value)) &&
        name !== key,
    ),
  );
  return sameElsewhere || limit === 0 ? [] : [`is gone, before \`${before?.[0]}\``];
}

interface WeakerLevel {
  readonly rule: Finding['rule'];
  readonly severity?: Severity;
  readonly message: string;
  readonly name: string;
}

function weakerLevels(old: Settings, now: Settings): WeakerLevel[] {
  const found: WeakerLevel[] = [];
  const addedPresets = now.presets.filter((preset) => !old.presets.includes(preset));
  const lostPresets = old.presets.filter(
    (preset) => !now.presets.includes(preset) && !/^(?:globals|plugin|parser)\b/.test(preset),
  );
  const rule = 'lint-rule-disabled' as const;
  for (const [key, rank] of now.levels) {
    const [name = '', ...label] = key.split(' ');
    const before = old.levels.get(key) ?? (label.length > 0 ? old.levels.get(name) : undefined);
    const place = label.length > 0 ? ` for \`${label.join(' ')}\`` : '';
    if (before === undefined) {
      if (
        rank > 0 ||
        addedPresets.length > 0 ||
        hasTwin(name, now.levels, old.levels) ||
        isFormattingRule(name)
      )
        continue;
      found.push({
        rule,
        ...(label.length > 0 && { severity: severityFor(label) }),
        message: `the rule \`${name}\` is off${place}`,
        name,
      });
    } else if (rank < before && !hasTwin(name, now.levels, old.levels)) {
      const isLimited = label.length > 0 && !old.levels.has(key);
      found.push({
        rule,
        ...(isLimited && { severity: severityFor(label) }),
        message: `the rule \`${name}\` ${rank === 0 ? 'is off' : 'only warns'}${place}`,
        name,
      });
    }
  }
  for (const [key, rank] of old.levels) {
    const [name = ''] = key.split(' ');
    if (rank < 2 || now.levels.has(key)) continue;
    const isElsewhere = [...now.levels].some(
      ([other, level]) => (other.split(' ')[0] === name || baseOf(other) === baseOf(key)) && level >= rank,
    );
    if (isElsewhere || addedPresets.length > 0 || isFormattingRule(name)) continue;
    found.push({ rule, severity: 'medium', message: `the rule \`${name}\` is no longer set to error`, name });
  }
  const isWeakerPreset =
    addedPresets.length > 0 &&
    lostPresets.some((preset) => /strict|all\b/i.test(preset)) &&
    !addedPresets.some((preset) => /strict|all\b/i.test(preset));
  if (lostPresets.length > 0 && (addedPresets.length === 0 || isWeakerPreset))
    found.push({
      rule,
      message: `the shared rules \`${lostPresets.join('`, `')}\` no longer apply`,
      name: lostPresets[0] ?? '',
    });
  return found;
}

/** A rule that is off for tests and configuration files alone hides nothing of the code. */
function severityFor(label: readonly string[]): Severity {
  const patterns = label.join(' ').split(',');
  return patterns.every(
    (pattern) =>
      isTestOrSetup(pattern) ||
      /(?:^|\/)\.?(?:bin|scripts?|ci|tools|examples?|docs)(?:\/|$)|\.d\.ts$/.test(pattern),
  )
    ? 'low'
    : 'medium';
}

function baseOf(key: string): string {
  const [name = ''] = key.split(' ');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Whether a rule of the same name, from another plugin, has come in its place. */
function hasTwin(name: string, now: ReadonlyMap<string, number>, old: ReadonlyMap<string, number>): boolean {
  return [...now].some(
    ([key, rank]) =>
      key !== name &&
      key.split(' ')[0] !== name &&
      baseOf(key) === baseOf(name) &&
      rank >= 1 &&
      (old.get(name) ?? 2) <= Math.max(rank, 2),
  );
}

/** Rules about the looks of code, which formatters take over. */
function isFormattingRule(name: string): boolean {
  return /(?:^|\/)(?:indent|quotes|semi|comma-dangle|max-len|object-curly-spacing|arrow-parens|prettier|linebreak-style|eol-last|space-before-\w+|brace-style|operator-linebreak|no-multi-spaces|key-spacing|react-in-jsx-scope|jsx-uses-react|prop-types|import\/order|sort-imports)$/.test(
    name,
  );
}
