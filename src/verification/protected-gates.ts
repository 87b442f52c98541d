import { relative } from 'node:path';
import { weakerParts } from '../config/command-gate.ts';
import type { ProjectFiles } from '../config/discover.ts';
import { type ProjectConfig, readProject } from '../config/load.ts';
import { type Settings, settingKey, weakerSettings } from '../config/settings.ts';
import type { CommandGate, Gate } from '../gates/types.ts';
import type { Finding } from '../integrity/types.ts';
import {
  extendedGateText,
  notifyChangedText,
  notifyScriptText,
  removedConfigText,
  removedGateText,
  weakerGateText,
  weakerSettingText,
} from '../messages/protected-gates.ts';
import { commandChange } from './command-change.ts';
import { readRecorded, readScriptFiles } from './recorded-files.ts';
import { judgeRunnerFiles, judgeScripts, lineOf, type RunnerFiles } from './recorded-scripts.ts';
import type { ProjectRecord } from './session-record.ts';

/** A project's config, judged by a record of it. */
export interface JudgedConfig {
  /** What counts: of each gate and setting the recorded form, unless the present one is as strict. */
  readonly config: ProjectConfig;
  readonly findings: readonly Finding[];
  /** Whether the gates are known although the config is broken now. */
  readonly isKnown: boolean;
}

/** The project as it is now. */
export interface PresentProject {
  /** Undefined if it has no config any more. */
  readonly files: ProjectFiles | undefined;
  readonly config: ProjectConfig | undefined;
  readonly task: string | undefined;
}

/** The config that a record of a project has. */
export function readRecordedConfig({ project, task }: ProjectRecord): Promise<ProjectConfig> {
  return readProject(project, task ?? undefined);
}

/**
 * Judges a project's config by a record of it.
 *
 * @param recorded the config that the record has
 * @param copy as in `RunnerFiles`
 */
export function judgeConfig(
  record: ProjectRecord,
  recorded: ProjectConfig,
  present: PresentProject,
  copy: RunnerFiles['copy'],
): JudgedConfig {
  const { root } = record.project;
  const isOtherTask = present.task !== undefined && record.task !== present.task;
  const known = isOtherTask ? commandGates(recorded.gates) : recorded.gates;
  const places = { before: configOf(record.project), after: present.files && configOf(present.files) };
  const isBroken = (present.config?.problems.length ?? 0) > 0;
  const gates = judgeGates(known, present, places, isBroken);
  const settings =
    isBroken || !present.config
      ? { settings: recorded.settings, findings: [] }
      : judgeSettings(recorded.settings, present.config.settings, places);
  const cache = new Map<string, string | null>();
  const now = (path: string) => {
    const known = cache.get(path);
    if (known !== undefined) return known;
    const text = readRecorded(root, path);
    cache.set(path, text);
    return text;
  };
  const files = { root, before: record.files, now, copy };
  const scripts = gates.gates.map((gate) =>
    gate.kind === 'command' ? judgeScripts(gate, files) : { gate, findings: [] },
  );
  const notify = judgeNotify(recorded.settings, settings.settings, places, files);
  const base = present.config ?? { ...recorded, problems: [] };
  return {
    config: { ...base, settings: notify.settings, gates: scripts.map(({ gate }) => gate) },
    findings: withoutRepeats([
      ...gates.findings,
      ...settings.findings,
      ...notify.findings,
      ...scripts.flatMap(({ findings }) => findings),
      ...judgeRunnerFiles(gates.gates, files),
    ]),
    isKnown: known.length > 0 && recorded.problems.length === 0,
  };
}

interface ConfigText {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

/** The file with the gates: the gate config, if there is one. */
function configOf(project: ProjectFiles): ConfigText {
  const { config, gateConfig } = project;
  if (gateConfig) {
    const path = relativeTo(project, gateConfig.path);
    return { path, text: gateConfig.text ?? readRecorded(project.root, path) ?? '' };
  }
  return { path: config ? relativeTo(project, config.path) : '.trellis', text: config?.text ?? '' };
}

function relativeTo({ root }: ProjectFiles, path: string): string {
  return relative(root, path);
}

interface Places {
  readonly before: ConfigText;
  readonly after: ConfigText | undefined;
}

function judgeGates(
  recorded: readonly Gate[],
  { config }: PresentProject,
  places: Places,
  isBroken: boolean,
): { readonly gates: readonly Gate[]; readonly findings: readonly Finding[] } {
  const { before, after } = places;
  if (!config) {
    const message = removedConfigText(
      before.path,
      recorded.map(({ name }) => name),
    );
    return { gates: recorded, findings: [high(before.path, undefined, message)] };
  }
  // What a broken config still has of its gates is a guess.
  if (isBroken) return { gates: recorded.length > 0 ? recorded : config.gates, findings: [] };
  const compared = compareGates(recorded, config.gates);
  const findings = compared.differences.map(({ gate, now, message, isMore }): Finding => {
    const line =
      (now && after && lineOf(after.text, firstLine(now.name))) ?? lineOf(before.text, firstLine(gate.name));
    const path = now && after ? after.path : before.path;
    return isMore
      ? { rule: 'gate-changed', severity: 'low', path, line, message }
      : high(path, line, message);
  });
  return { gates: compared.gates, findings };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function high(path: string, line: number | undefined, message: string): Finding {
  return { rule: 'gate-changed', severity: 'high', path, line, message };
}

interface GateDifference {
  readonly gate: Gate;
  /** The gate as it is now; undefined if it is gone. */
  readonly now: Gate | undefined;
  readonly message: string;
  /** Whether the gate checks more than it did. */
  readonly isMore: boolean;
}

/**
 * Compares gates with those that are recorded.
 *
 * @returns the gates that judge: the recorded ones that are gone or weaker now, and the present ones
 */
function compareGates(
  recorded: readonly Gate[],
  present: readonly Gate[],
): { readonly gates: readonly Gate[]; readonly differences: readonly GateDifference[] } {
  const differences: GateDifference[] = [];
  const judging = new Map<Gate, Gate>();
  const missing: Gate[] = [];
  const renamed = new Map<string, string>();
  for (const gate of recorded) {
    const namesake = present.find(({ name, kind }) => name === gate.name && kind === gate.kind);
    const now = namesake ?? present.find((other) => isSameCheck(gate, other));
    const difference = now && differenceOf(gate, now);
    if (now === undefined) {
      missing.push(gate);
      differences.push({ gate, now, message: removedGateText(gate.name), isMore: false });
    } else if (difference) {
      judging.set(now, gate);
      differences.push({ gate, now, ...difference });
    } else if (now.name !== gate.name) renamed.set(gate.name, now.name);
  }
  const gates = [...present.map((gate) => judging.get(gate) ?? gate), ...missing];
  return { gates: withKnownNeeds(gates, renamed), differences };
}

/** Whether a gate with another name checks the same. */
function isSameCheck(gate: Gate, other: Gate): boolean {
  if (gate.kind !== 'command' || other.kind !== 'command') return false;
  return weakerParts(gate, other).length === 0;
}

function differenceOf(gate: Gate, now: Gate): Pick<GateDifference, 'message' | 'isMore'> | undefined {
  if (gate.kind !== 'command' || now.kind !== 'command') return undefined;
  const parts = weakerParts(gate, now);
  if (parts.length === 0) return undefined;
  const isMore =
    parts.every((part) => part === 'command') && commandChange(gate.command, now.command) === 'more';
  return { message: isMore ? extendedGateText(gate, now) : weakerGateText(gate, now, parts), isMore };
}

/** A gate needs another one by the name that it has now; one that is not among them is not waited for. */
function withKnownNeeds(gates: readonly Gate[], renamed: ReadonlyMap<string, string>): Gate[] {
  const names = new Set(gates.map(({ name }) => name));
  return gates.map((gate): Gate => {
    if (gate.kind !== 'command' || gate.needs === undefined || gate.needs.every((need) => names.has(need)))
      return gate;
    const needs = gate.needs.map((need) => (names.has(need) ? need : (renamed.get(need) ?? need)));
    return { ...gate, needs: needs.filter((need) => names.has(need)) };
  });
}

function judgeSettings(
  before: Settings,
  after: Settings,
  places: Places,
): { readonly settings: Settings; readonly findings: readonly Finding[] } {
  const weaker = weakerSettings(before, after);
  const findings = weaker.map((name) => {
    const key = settingKey(name);
    const path = (places.after ?? places.before).path;
    const line = lineOf(places.after?.text ?? '', key) ?? lineOf(places.before.text, key);
    return high(path, line, weakerSettingText(key, before[name], after[name]));
  });
  const kept = Object.fromEntries(weaker.map((name) => [name, before[name]]));
  return { settings: { ...after, ...kept }, findings };
}

/**
 * The command of notifications runs as it was recorded, and not at all if a script of it changed: an agent must not have
 * code run that its person has not seen. Nothing passes more easily by it, so it blocks nothing.
 */
function judgeNotify(
  { notify: before }: Settings,
  { notify: after, ...others }: Settings,
  places: Places,
  files: RunnerFiles,
): { readonly settings: Settings; readonly findings: readonly Finding[] } {
  const { root } = files;
  const finding = ({ path, text }: ConfigText, message: string): Finding => ({
    rule: 'gate-changed',
    severity: 'medium',
    path,
    line: lineOf(text, 'notify'),
    message,
  });
  const isChanged = before !== after;
  const findings = isChanged ? [finding(places.after ?? places.before, notifyChangedText(after))] : [];
  if (before === undefined) return { settings: others, findings };
  const gate: CommandGate = {
    kind: 'command',
    name: 'notify',
    command: before,
    cwd: root,
    env: {},
    blocking: false,
    order: 0,
    timeoutSeconds: 1,
  };
  const named = Object.keys(readScriptFiles(root, [before]));
  const recorded = Object.fromEntries(Object.entries(files.before).filter(([path]) => named.includes(path)));
  const changed = [
    ...judgeScripts(gate, files).findings,
    ...judgeRunnerFiles([gate], { ...files, before: recorded }),
  ][0];
  if (changed === undefined) return { settings: { ...others, notify: before }, findings };
  return {
    settings: others,
    findings: [...findings, finding(places.before, notifyScriptText(changed.path))],
  };
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const id = JSON.stringify([finding.path, finding.message]);
    return seen.size !== seen.add(id).size;
  });
}

/** The command gates among the gates. */
function commandGates(gates: readonly Gate[]): CommandGate[] {
  return gates.filter((gate) => gate.kind === 'command');
}
