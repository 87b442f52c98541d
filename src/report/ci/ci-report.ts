import { join, relative } from 'node:path';
import { oneLine } from '../../base/text.ts';
import { repositoryAround } from '../../config/discover.ts';
import { excerptOf, excerptText } from '../../diagnostics/excerpt.ts';
import { type Place, placeOf } from '../../diagnostics/failures/place.ts';
import { SEVERITY } from '../../diagnostics/lines/rules.ts';
import type { Findings, GateFindings } from '../../diagnostics/output/condenser.ts';
import { type GateResult, holds, type RunResult, type Verdict } from '../../gates/types.ts';
import type { RuleName } from '../../integrity/rules.ts';
import type { Finding } from '../../integrity/types.ts';
import { describeOutcome, endedEarly } from '../../messages/outcome.ts';

/** What `verify --ci` reports, whatever the format. */
export interface CiReport {
  /** Passed only if nothing became weaker that blocks a stop. */
  readonly verdict: Verdict;
  /** What the change was compared with; undefined if with nothing. */
  readonly base: string | undefined;
  readonly durationMs: number;
  readonly gates: readonly ReportedGate[];
  /** With paths relative to the repository. */
  readonly findings: readonly Finding[];
  readonly problems: readonly Problem[];
}

/** A gate, and what people read of its output. */
export interface ReportedGate {
  readonly result: GateResult;
  /** How it ended, as a predicate. */
  readonly outcome: string;
  /** Empty if it passed, or printed nothing. */
  readonly excerpt: string;
}

/** What is wrong, at a place if it is known. */
export interface Problem {
  readonly rule: RuleName | 'gate-failed';
  readonly level: 'error' | 'warning' | 'note';
  /** Relative to the repository; undefined if only the gate is known. */
  readonly place: Place | undefined;
  /** One line. */
  readonly title: string;
  readonly message: string;
  /** Why a comment of the base allows it. */
  readonly allowed?: string | undefined;
}

const LEVELS = { high: 'error', medium: 'warning', low: 'note' } as const;
/** The excerpt of a gate in the reports. */
const EXCERPT_CHARACTERS = 4000;
const MESSAGE_CHARACTERS = 1000;
/** GitHub shows ten annotations of each level; the excerpt counts the rest. */
const MAX_PROBLEMS_OF_GATE = 10;

interface CiRun {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly base: string | undefined;
  readonly result: RunResult;
  readonly outputs: GateFindings;
  /** With paths relative to the project. */
  readonly findings: readonly Finding[];
}

/** The report of a run in CI. */
export function ciReport({ root, base, result, outputs, findings }: CiRun): CiReport {
  const prefix = relative(repositoryAround(root) ?? root, root);
  const inRepository = <P extends { readonly path: string }>(place: P): P => ({
    ...place,
    path: join(prefix, place.path),
  });
  const gates = result.results.map((each) => reportedGate(each, outputs.get(each.gate)));
  const isWeakened = findings.some(({ severity }) => severity === 'high');
  const failed = gates.filter(({ result: { outcome } }) => !holds(outcome) && outcome.reason !== 'skipped');
  return {
    verdict: isWeakened ? 'failed' : result.verdict,
    base,
    durationMs: result.durationMs,
    gates,
    findings: findings.map(inRepository),
    problems: [
      ...failed.flatMap((gate) => problemsOf(gate, outputs.get(gate.result.gate), root)),
      ...findings.map(weakened),
    ].map((problem) => ({ ...problem, place: problem.place && inRepository(problem.place) })),
  };
}

function reportedGate(result: GateResult, output: Findings | undefined): ReportedGate {
  const { outcome } = result;
  const excerpt =
    output && !holds(outcome)
      ? excerptText(excerptOf(output, EXCERPT_CHARACTERS, { hung: endedEarly(outcome) }))
      : '';
  return { result, outcome: oneLine(describeOutcome(outcome), 300), excerpt };
}

/** The failures of a gate at their places; the gate alone if no place is known. */
function problemsOf(
  { result: { gate }, outcome, excerpt }: ReportedGate,
  output: Findings | undefined,
  root: string,
): Problem[] {
  const title = `${oneLine(gate.name, 80)} ${outcome}`;
  const problem = { rule: 'gate-failed', level: gate.blocking ? 'error' : 'warning', title } as const;
  const cwd = gate.kind === 'command' ? gate.cwd : root;
  const placed = (output?.failures ?? [])
    .filter(({ severity }) => severity > SEVERITY.warning)
    .flatMap(({ block }) => {
      const place = placeOf(block, root, cwd);
      return place ? [{ ...problem, place, message: oneLine(block.headline.text, MESSAGE_CHARACTERS) }] : [];
    });
  if (placed.length > 0) return placed.slice(0, MAX_PROBLEMS_OF_GATE);
  return [{ ...problem, place: undefined, message: (excerpt || title).slice(0, MESSAGE_CHARACTERS) }];
}

function weakened({ rule, severity, path, line, message, allowed }: Finding): Problem {
  return {
    rule,
    level: LEVELS[severity],
    place: { path, line },
    title: `weaker: ${rule}`,
    message: oneLine(message, MESSAGE_CHARACTERS),
    allowed,
  };
}
