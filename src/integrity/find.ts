import type { IntegrityMode } from '../config/settings.ts';
import { findWithinBounds, readableOf } from './bounds.ts';
import { findOverriddenOutcomes } from './config/outcomes.ts';
import { findReplacedTools } from './config/replaced-tools.ts';
import { isConfig } from './paths.ts';
import type { RuleName } from './rules.ts';
import { findWeakenedSource } from './source/find-weakened-source.ts';
import { findWeakerTests } from './tests/find-weaker-tests.ts';
import { findReplacedAssertions } from './tests/javascript/replaced-assertions.ts';
import { findRewrittenSnapshots } from './tests/snapshots.ts';
import { withoutUnchangedTests } from './tests/unchanged.ts';
import type { FileChange, Finding, ProjectChange } from './types.ts';

/** What a project sets for the integrity check. */
export interface IntegritySettings {
  readonly integrity: IntegrityMode;
  readonly integrityRules?: Readonly<Partial<Record<RuleName, IntegrityMode>>>;
}

const ORDER = { high: 0, medium: 1, low: 2 };

/**
 * Finds what a change made weaker, the gravest first. What cannot be judged within bounds is a finding itself.
 *
 * @returns findings whose severity says what follows: a rule that is set to `warn` has none that is high
 */
export async function findWeakened(given: ProjectChange, settings: IntegritySettings): Promise<Finding[]> {
  const { change, findings } = readableOf(given);
  const findInConfig = await configRulesFor(change);
  const found = findWithinBounds(change, (each) => [...findInCode(each), ...findInConfig(each)]);
  const allowed = allowedByBase(given);
  return asSet([...findings, ...found], settings)
    .map(allowed)
    .toSorted(gravestFirst);
}

function findInCode(change: ProjectChange): Finding[] {
  const inTests = { ...change, changes: change.changes.map(withoutUnchangedTests) };
  return [
    ...findWeakerTests(inTests),
    ...findRewrittenSnapshots(change),
    ...findWeakenedSource(change),
    ...findOverriddenOutcomes(inTests),
    ...findReplacedAssertions(inTests),
    ...findReplacedTools(change),
  ];
}

/** The order of findings: the gravest first, those of a file together. */
export function gravestFirst(a: Finding, b: Finding): number {
  return (
    ORDER[a.severity] - ORDER[b.severity] || compareTexts(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0)
  );
}

/** Loads parsers of YAML, TOML and others, for changes of what they parse. */
async function configRulesFor(change: ProjectChange): Promise<(change: ProjectChange) => Finding[]> {
  if (!change.changes.some(({ path }) => isConfig(path))) return () => [];
  const { configRules } = await import('./config/find-weakened-config.ts');
  return configRules(change);
}

/** Findings as the settings of their rules have them. */
export function asSet(
  findings: readonly Finding[],
  { integrity, integrityRules = {} }: IntegritySettings,
): Finding[] {
  return findings.flatMap((finding) => {
    const mode = integrityRules[finding.rule] ?? integrity;
    if (mode === 'off') return [];
    if (mode === 'warn' && finding.severity === 'high') return { ...finding, severity: 'medium' as const };
    if (integrityRules[finding.rule] === 'block' && finding.severity === 'medium')
      return { ...finding, severity: 'high' as const };
    return finding;
  });
}

const ALLOW = /\bintegrity: allow\s+(\S.*?)\s*(?:\*\/|-->)?\s*$/;

/** How far above a finding a comment may be: there may be attributes in between. */
const LINES_ABOVE = 3;

/** A comment that allows a finding counts only if it was there before the change. */
function allowedByBase({ changes }: ProjectChange): (finding: Finding) => Finding {
  const files = new Map(
    changes
      .filter(({ before, after }) => /integrity: allow/.test(after ?? before ?? ''))
      .map((change) => [
        change.path,
        { ...change, lines: (change.after ?? change.before ?? '').split('\n') },
      ]),
  );
  return (finding) => {
    const file = files.get(finding.path);
    return file ? allowedIn(finding, file) : finding;
  };
}

function allowedIn(finding: Finding, change: FileChange & { readonly lines: readonly string[] }): Finding {
  const { lines } = change;
  if (finding.line === undefined || change.before === undefined) return finding;
  for (let line = finding.line; line >= Math.max(1, finding.line - LINES_ABOVE); line--) {
    const [comment = '', reason] = ALLOW.exec(lines[line - 1] ?? '') ?? [];
    if (reason === undefined) continue;
    // A copy of a comment of the base is not of the base.
    const isOfBase = countOf(comment, change.before) >= countOf(comment, change.after ?? change.before);
    if (isOfBase) return { ...finding, severity: 'low', allowed: reason };
  }
  return finding;
}

function countOf(part: string, text: string): number {
  return text.split(part).length - 1;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
