// Two lists of checks → what became weaker. Gates, scripts, targets and CI steps are all compared here.

import { RULES, type RuleName, type Severity } from '../rules.ts';
import { type Check, checksIn, isCheckName } from './checks.ts';
import { type Weakening, weakerArguments } from './options.ts';
import type { ShellOptions } from './shell.ts';

/** One way in which a check became weaker, with the check. */
export interface WeakenedCheck {
  readonly rule: RuleName;
  readonly severity: Severity;
  /** A clause that makes sense alone: "`vitest run` no longer fails: `|| true`". */
  readonly message: string;
  /** The check in the base. */
  readonly before: Check;
  /** Undefined where it is gone. */
  readonly after: Check | undefined;
}

/** How a command compares with an earlier one: `other` is neither weaker nor stricter, as far as that is known. */
export interface CommandComparison {
  readonly verdict: 'equal' | 'weaker' | 'stricter' | 'other';
  readonly weakened: readonly WeakenedCheck[];
}

/**
 * Compares two shell commands that stand for the same check, such as a gate or a script before and after.
 *
 * @param options.shell what the shell does with a failure in the middle; `sh -c` by default
 */
export function compareCommands(
  before: string,
  after: string,
  { shell }: { readonly shell?: ShellOptions } = {},
): CommandComparison {
  if (before.trim() === after.trim()) return { verdict: 'equal', weakened: [] };
  const options = { everything: true, ...(shell && { shell }) };
  const [old, now] = [checksIn(before, options), checksIn(after, options)];
  const weakened = weakenedChecks(old, now);
  if (weakened.length > 0) return { verdict: 'weaker', weakened };
  const isStricter = now.length >= old.length && weakenedChecks(now, old).length > 0;
  return { verdict: isStricter ? 'stricter' : isEqual(old, now) ? 'equal' : 'other', weakened };
}

function isEqual(before: readonly Check[], after: readonly Check[]): boolean {
  return (
    before.length === after.length && before.every((check, index) => isSame(check, after[index] as Check))
  );
}

function isSame(a: Check, b: Check): boolean {
  return a.tool === b.tool && sameArgs(a, b);
}

function sameArgs(a: Check, b: Check): boolean {
  return a.args.join(' ') === b.args.join(' ');
}

/** A check with the place where it is declared. */
export interface PlacedCheck extends Check {
  readonly path?: string;
  /** What declares it in the file: a script, a target, a step of a job. */
  readonly step?: string;
  /** What keeps it from running at all, such as `if: false`. */
  readonly disabledBy?: string | undefined;
  /** A script by name whose definition is gone too: what it ran is compared by itself. */
  readonly isDefinitionGone?: boolean;
  /** Whether nothing is said about it if it is gone: a build, which checks by the way. */
  readonly mayGo?: boolean;
}

type Pair<C> = (before: C, after: C) => boolean;

/** From the most to the least certain way to recognize a check again. */
const PAIRINGS: readonly Pair<PlacedCheck>[] = [
  (a, b) => inStep(a, b) && isSame(a, b),
  (a, b) => inStep(a, b) && a.tool === b.tool,
  (a, b) => a.path === b.path && isSame(a, b),
  (a, b) => isSame(a, b),
  (a, b) => inStep(a, b) && canReplace(a, b),
  (a, b) => a.path === b.path && a.tool === b.tool,
  (a, b) => a.tool === b.tool,
  canReplace,
];

function inStep(a: PlacedCheck, b: PlacedCheck): boolean {
  return a.path === b.path && a.step === b.step;
}

/** Whether a check can stand for another: another runner, or a script that starts it. */
function canReplace(a: Check, b: Check): boolean {
  const [, name] = /^(?:script|make|just|task|poe|rake|composer) (\S+)$/.exec(b.tool) ?? [];
  if (name !== undefined && a.subject !== 'any' && !isCheckName(name)) return false;
  return a.subject === b.subject || b.subject === 'any' || a.subject === 'any';
}

/** The checks that are gone, ignored, narrowed, or accept more. */
export function weakenedChecks<C extends PlacedCheck>(
  before: readonly C[],
  after: readonly C[],
): (WeakenedCheck & { readonly before: C; readonly after: C | undefined })[] {
  const left = new Set(after);
  const pairs = new Map<C, C>();
  for (const isPair of PAIRINGS)
    for (const check of before) {
      if (pairs.has(check)) continue;
      const partner = firstOf(left, (other) => isPair(check, other));
      if (!partner) continue;
      pairs.set(check, partner);
      left.delete(partner);
    }
  const unpaired = [...left];
  return before.flatMap((check) => {
    const partner = pairs.get(check);
    const weakenings = partner
      ? weakerCheck(check, partner, unpaired, after)
      : isTakenOver(check, before, after)
        ? []
        : goneCheck(check, after);
    return weakenings.map(({ rule, severity, what }) => ({
      rule,
      severity: severity ?? RULES[rule].severity,
      message: `\`${shortened(partner && check.tool !== partner.tool ? partner.text : check.text)}\` ${what}`,
      before: check,
      after: partner,
    }));
  });
}

function firstOf<T>(all: Iterable<T>, fits: (each: T) => boolean): T | undefined {
  for (const each of all) if (fits(each)) return each;
  return undefined;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function goneCheck(check: PlacedCheck, after: readonly PlacedCheck[]): Weakening[] {
  if (check.isDefinitionGone) return [];
  if (check.mayGo || check.ignoredBy !== undefined || check.disabledBy !== undefined) return [];
  // Two steps of one file that ran the same.
  if (
    after.some(
      (other) =>
        other.path === check.path &&
        isSame(check, other) &&
        other.ignoredBy === undefined &&
        check.step?.split(' › ')[0] !== undefined &&
        check.path !== undefined &&
        !/package\.json$/.test(check.path),
    )
  )
    return [];
  return [{ rule: 'check-removed', what: 'is gone' }];
}

/** Tools that do the work of several others. */
const TAKES_OVER: readonly (readonly [tool: RegExp, others: RegExp])[] = [
  [/^biome-(?:check|ci)$/, /^(?:eslint|oxlint|tslint|prettier|dprint)$/],
  [/^ruff-check$/, /^(?:flake8|pylint|isort|pycodestyle|pydocstyle|bandit)$/],
  [/^ruff-format$/, /^(?:black|isort|yapf|autopep8)$/],
  [/^oxlint$/, /^(?:eslint|tslint)$/],
  [/^golangci-lint$/, /^(?:go-vet|staticcheck|revive|gofmt|goimports|gofumpt)$/],
  [/^pre-commit$/, /./],
];

/** Whether a tool that is new in the change does the work of a check that is gone. */
function isTakenOver(
  { tool, subject }: PlacedCheck,
  before: readonly PlacedCheck[],
  after: readonly PlacedCheck[],
): boolean {
  return after.some(
    (other) =>
      subject === other.subject &&
      other.ignoredBy === undefined &&
      !before.some((old) => old.tool === other.tool) &&
      TAKES_OVER.some(([taker, others]) => taker.test(other.tool) && others.test(tool)),
  );
}

function weakerCheck(
  before: PlacedCheck,
  after: PlacedCheck,
  unpaired: readonly PlacedCheck[],
  all: readonly PlacedCheck[],
): Weakening[] {
  const found: Weakening[] = [];
  if (after.disabledBy !== undefined && before.disabledBy === undefined)
    return [{ rule: 'check-removed', what: `never runs: \`${after.disabledBy}\`` }];
  if (after.ignoredBy !== undefined && before.ignoredBy === undefined)
    found.push({ rule: 'failure-ignored', what: `can fail without notice: \`${after.ignoredBy}\`` });
  if (after.condition !== undefined && before.condition === undefined)
    found.push({
      rule: 'check-narrowed',
      severity: 'medium',
      what: `runs on a condition only: \`${after.condition}\``,
    });
  if (before.tool !== after.tool && before.subject !== after.subject) return found;
  const from = before.tool === after.tool ? before : { ...after, args: [], env: {} };
  const weaker = weakerArguments(from, after);
  // What one step no longer covers, another one does: the tests were split.
  const isSplit = unpaired.some(
    (other) =>
      (other.tool === after.tool || [other, after].every(({ tool }) => /^cargo-(?:nex)?test$/.test(tool))) &&
      other.ignoredBy === undefined &&
      other.args.join(' ') !== after.args.join(' '),
  );
  const isMigration = before.tool !== after.tool;
  // What a build no longer checks by the way, a check still does.
  const isChecked =
    before.mayGo === true &&
    all.some(
      (other) =>
        !other.mayGo &&
        other.ignoredBy === undefined &&
        other.tool === before.tool &&
        before.args.every((arg) => other.args.includes(arg)),
    );
  return [
    ...found,
    ...weaker.filter(
      ({ rule, what }) =>
        !((isSplit || isChecked) && rule === 'check-narrowed') &&
        !(isMigration && rule === 'check-narrowed' && /limited to/.test(what)),
    ),
  ];
}
