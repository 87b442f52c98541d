import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDirectory, reasonOf, writeFileAtomic } from '../../base/files.ts';
import { failure, type Result, success } from '../../base/result.ts';
import { jsonText } from '../../base/text.ts';
import { uptimeMs } from '../../base/time.ts';
import { repositoryAround } from '../../config/discover.ts';
import type { GateFindings } from '../../diagnostics/output/condenser.ts';
import { gateSecrets, planGates } from '../../gates/plan.ts';
import type { Gate, RunResult } from '../../gates/types.ts';
import type { Finding } from '../../integrity/types.ts';
import { integrityLines } from '../../messages/integrity.ts';
import { maskTexts } from '../../process/secrets/masker.ts';
import { annotations } from '../../report/ci/annotations.ts';
import { type CiReport, ciReport } from '../../report/ci/ci-report.ts';
import { junitText } from '../../report/ci/junit.ts';
import { sarifText } from '../../report/ci/sarif.ts';
import { summaryText } from '../../report/ci/summary.ts';
import { type RecordedRun, recordRun } from '../../state/last-run.ts';
import { ciBaseFor } from '../../verification/ci-base.ts';
import { judgeByBase } from '../../verification/judge-by-base.ts';
import type { VerificationPlan } from '../../verification/plan.ts';
import { runAsJson } from '../../verification/run-as-json.ts';
import type { NamedBase } from '../../verification/tree-base.ts';
import type { VerificationRequest } from '../../verification/types.ts';
import { outputProblem } from '../output-file.ts';
import { EXIT, print, stdoutPaint, warn } from '../terminal.ts';

export interface CiOptions {
  /** A revision of git that the change is to be merged into. */
  readonly base?: string;
  /** Paths of the files to write. */
  readonly sarif?: string;
  readonly junit?: string;
}

/** Longer than any repository needs; git may hang on a network file system. */
const GIT_MS = 60_000;
const NO_BASE =
  'There is nothing to compare with: every gate runs, and weaker tests are not looked for. Name a base with --base.';

/**
 * Compares the project with its base, before gates can change files.
 *
 * @returns the run as it is in CI: without what this machine knows of earlier runs
 */
export async function openCiRun(plan: VerificationPlan, options: CiOptions): Promise<Result<CiRun>> {
  const { request, project, read } = plan;
  const { root } = request;
  const problem = outputProblems(options);
  if (problem !== undefined) return failure(problem);
  const base = await ciBaseFor(root, options.base, process.env);
  if (!base.ok) return base;
  if (base.value === undefined)
    return success(new CiRun(plan, options, { gates: request.gates, findings: [], notes: [NO_BASE] }));
  const { tree } = base.value;
  const limits = { env: process.env, endAt: uptimeMs() + GIT_MS };
  const judged = await judgeByBase(project, read, tree, limits);
  if (!judged.ok) return judged;
  const { config, findings, notes } = judged.value;
  const isSelection = request.failures.covers === 'some';
  const gates = isSelection
    ? request.gates
    : planGates(config.gates.filter(({ kind }) => kind === 'command'));
  return success(new CiRun(plan, options, { base: base.value, gates, findings, notes }));
}

/** Found before the gates run, which can take long. */
function outputProblems({ sarif, junit }: CiOptions): string | undefined {
  const problemOf = (path: string | undefined, isReport: (start: string) => boolean) => {
    const problem = path === undefined ? undefined : outputProblem(path, isReport);
    return problem && `Cannot write ${path}: ${problem}`;
  };
  const problem =
    problemOf(sarif, (start) => start.includes('sarif')) ??
    problemOf(junit, (start) => start.includes('<testsuite'));
  if (problem !== undefined || sarif === undefined || junit === undefined) return problem;
  return resolve(sarif) === resolve(junit) ? `--sarif and --junit name the same file: ${sarif}` : undefined;
}

interface Judged {
  /** Undefined if there is nothing to compare with. */
  readonly base?: NamedBase;
  /** Those that judge. */
  readonly gates: readonly Gate[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

export class CiRun {
  readonly request: VerificationRequest;
  readonly #plan: VerificationPlan;
  readonly #options: CiOptions;
  readonly #base: NamedBase | undefined;
  readonly #findings: readonly Finding[];
  readonly #notes: readonly string[];
  #commands: PausedCommands | undefined;

  constructor(plan: VerificationPlan, options: CiOptions, { base, gates, findings, notes }: Judged) {
    const { request } = plan;
    this.request = {
      ...request,
      gates,
      reuse: false,
      changedSince: base?.tree.commit ?? null,
      failures: { ...request.failures, covers: 'own' },
    };
    this.#plan = plan;
    this.#options = options;
    this.#base = base;
    this.#findings = maskTexts(findings, gateSecrets(gates, process.env));
    this.#notes = notes;
  }

  /** Before anything is printed. With `json`, stdout has the document alone. */
  begin(json: boolean): void {
    if (process.env.GITHUB_ACTIONS === 'true' && !json) this.#commands = new PausedCommands();
  }

  /**
   * Prints and writes the report of a run that has ended.
   *
   * @returns the exit code
   */
  report(result: RunResult, outputs: GateFindings, json: boolean): number {
    const { root } = this.request;
    const report = ciReport({ root, base: this.#base?.name, result, outputs, findings: this.#findings });
    if (this.#notes.length > 0) warn(this.#notes);
    if (json) {
      const { verdict, base = null } = report;
      print(jsonText({ ...runAsJson(result, root), verdict, base, findings: report.findings }));
    } else if (this.#base !== undefined)
      print(['', ...integrityLines(report.findings, this.#base.name, stdoutPaint())]);
    const unwritten = this.#write(report);
    if (unwritten.length > 0) warn(unwritten);
    this.#commands?.resume(annotations(report));
    return report.verdict === 'passed' && unwritten.length === 0 ? EXIT.ok : EXIT.failed;
  }

  /** What was found belongs to the run, for receipts. */
  async record(run: RecordedRun): Promise<void> {
    if (this.#base !== undefined) await recordRun(this.request.root, { ...run, findings: this.#findings });
  }

  /** @returns what could not be written */
  #write(report: CiReport): string[] {
    const { sarif, junit } = this.#options;
    const { GITHUB_STEP_SUMMARY: summary } = process.env;
    const { root } = this.request;
    const config = relative(repositoryAround(root) ?? root, join(root, this.#plan.config));
    return [
      ...(sarif === undefined ? [] : written(sarif, () => writeReport(sarif, sarifText(report, config)))),
      ...(junit === undefined ? [] : written(junit, () => writeReport(junit, junitText(report)))),
      ...(summary ? written(summary, () => appendFileSync(summary, summaryText(report))) : []),
    ];
  }
}

/** GitHub Actions obeys lines of any output, also that of a test: it must not, until it reads ours. */
class PausedCommands {
  readonly #token = randomUUID();

  constructor() {
    print(`::stop-commands::${this.#token}`);
  }

  resume(commands: readonly string[]): void {
    print([`::${this.#token}::`, ...commands]);
  }
}

function writeReport(path: string, text: string): void {
  const file = resolve(path);
  makeDirectory(dirname(file));
  writeFileAtomic(file, text);
}

function written(path: string, write: () => void): string[] {
  try {
    write();
    return [];
  } catch (error) {
    return [`${path} cannot be written: ${reasonOf(error)}`];
  }
}
