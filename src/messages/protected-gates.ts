import { count, duration, listed, oneLine } from '../base/text.ts';
import type { WeakerPart } from '../config/command-gate.ts';
import type { CommandGate } from '../gates/types.ts';

// What became weaker in the gates of a session: clauses that make sense alone.

const name = (text: string) => `\`${oneLine(text, 100)}\``;

const IN_WORDS: Readonly<Partial<Record<WeakerPart, (before: CommandGate, after: CommandGate) => string>>> = {
  command: (_, { command }) => `runs ${name(command)} instead`,
  timeoutSeconds: (before, after) =>
    `has a longer timeout (${seconds(after.timeoutSeconds)}, before: ${seconds(before.timeoutSeconds)})`,
  cwd: () => 'runs in another directory',
  env: (before, after) => `has another environment${changedVariables(before, after)}`,
  blocking: () => 'no longer blocks',
  paths: () => 'runs for fewer files',
  inputs: () => 'depends on fewer files',
  reuse: () => 'may be reused',
  retries: (before, after) => `is retried more often (${after.retries ?? 0}, before: ${before.retries ?? 0})`,
  allowEmpty: () => 'may run no test',
  baseline: () => 'has more known failures',
};

export function weakerGateText(
  before: CommandGate,
  after: CommandGate,
  parts: readonly WeakerPart[],
): string {
  const clauses = parts.map((part) => IN_WORDS[part]?.(before, after) ?? `has another ${part}`);
  return `gate ${name(before.name)} ${listed(clauses, 400)}; it was judged as it was`;
}

/** For a gate whose command does the same and more. */
export function extendedGateText(before: CommandGate, after: CommandGate): string {
  return `gate ${name(before.name)} runs ${name(after.command)}, which is more; it was judged as it was`;
}

export function removedGateText(gate: string): string {
  return `gate ${name(gate)} is gone; it was judged as it was`;
}

/** @param file the config that is gone */
export function removedConfigText(file: string, gates: readonly string[]): string {
  return `${name(file)} is gone, with ${count(gates.length, 'gate')} (${listed(
    gates.map((gate) => name(gate)),
    200,
  )}); they were judged as they were`;
}

/** For a config that precedes the recorded one, or that was not there. */
export function shadowingConfigText(file: string, recorded: string): string {
  return `${name(file)} is new, and its gates are in place of those of ${name(recorded)}; the session is judged by those`;
}

/** For an agent that works in another project than the one where its session began. */
export function otherProjectText(root: string): string {
  return `the agent works here now; the gates of ${oneLine(root, 200)}, where the session began, did not run`;
}

export function weakerSettingText(key: string, before: unknown, after: unknown): string {
  return `setting \`${key}\` is weaker (${shown(after)}, before: ${shown(before)}); the session is judged as before`;
}

/** @param now undefined if it is gone */
export function notifyChangedText(now: string | undefined): string {
  return `setting \`notify\` ${now === undefined ? 'is gone' : `is ${name(now)}`}; this session keeps the one that it began with`;
}

/** @param file that the command of notifications depends on */
export function notifyScriptText(file: string): string {
  return `${name(file)} changed, which the command of \`notify\` runs: this session is notified of nothing`;
}

export function emptiedTaskText(task: string): string {
  return `the current task ${name(task)} is no longer set; the session is judged by its gates`;
}

export function removedRepositoryText(): string {
  return '`.git` is gone; the session is judged by its gates';
}

/** @param now undefined if it is gone */
export function scriptChangedText(
  script: string,
  now: string | undefined,
  change: string,
  ranAsItWas: boolean,
): string {
  const what =
    now === undefined
      ? 'is gone'
      : change === 'more'
        ? 'does more than when the session began'
        : change === 'weaker'
          ? `is weaker than when the session began: ${name(now)}`
          : 'changed since the session began';
  return `script ${name(script)} ${what}${as(ranAsItWas)}`;
}

/** @param recipe empty for what is outside of recipes */
export function recipeChangedText(
  file: string,
  recipe: string,
  isGone: boolean,
  ranAsItWas: boolean,
): string {
  if (isGone) return `${name(file)} is gone${as(ranAsItWas)}`;
  const what = recipe === '' ? name(file) : `${name(recipe)} of ${name(file)}`;
  return `${what} changed since the session began${as(ranAsItWas)}`;
}

/** @param setting of the file; undefined for the file as a whole */
export function runnerFileChangedText(file: string, setting: string | undefined): string {
  const what = setting === undefined ? name(file) : `\`${setting}\` in ${name(file)}`;
  return `${what} changed since the session began`;
}

export function runnerFileGoneText(file: string): string {
  return `${name(file)} is gone, which a gate runs`;
}

/** @param what the event of the hook */
export function hookRemovedText(title: string, event: string, isChanged: boolean): string {
  return `the ${event} hook of ralph-loop for ${title} ${isChanged ? 'was changed' : 'is gone'}`;
}

/** For a plugin that still names the hooks. */
export function pageChangedText(title: string): string {
  return `the code of ralph-loop's plugin for ${title} was changed`;
}

export function hooksDisabledText(title: string): string {
  return `all hooks of ${title} are disabled`;
}

export function hostVariablesText(names: readonly string[]): string {
  return `the settings of the host set ${listed(names, 200)} for gates and hooks`;
}

export function launcherChangedText(isGone: boolean): string {
  return `the launcher of the hooks ${isGone ? 'is gone' : 'was changed'}`;
}

/** For the record of a session that was there and cannot be used. */
export function recordLostText(root: string): string {
  return `ralph-loop: the record of the gates of this session was removed or changed outside of ralph-loop, and is made anew: what was changed before now in ${oneLine(root, 200)} is not known`;
}

/** For a command that only a person may run. @param by as in `Caller` */
export function refusedText(command: string, by: string): string {
  return `\`ralph-loop ${command}\` was refused: it was run ${oneLine(by)}`;
}

function as(ranAsItWas: boolean): string {
  return ranAsItWas ? '; the gate ran as it was' : '; the gate ran as it is';
}

function seconds(value: number): string {
  return Number.isFinite(value) ? duration(value * 1000) : 'no limit';
}

function changedVariables(before: CommandGate, after: CommandGate): string {
  const names = [...new Set([...Object.keys(before.env), ...Object.keys(after.env)])];
  const changed = names.filter((variable) => before.env[variable] !== after.env[variable]);
  return changed.length > 0 ? ` (${listed(changed, 100)})` : '';
}

function shown(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not set'), 60);
}
