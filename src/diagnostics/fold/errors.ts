import { bounded, type FailureBlock, PRIORITY, type StoredFailure } from '../failures/failure.ts';
import { fileAbove, statementOf } from '../failures/statement.ts';
import { fileOf } from '../failures/store.ts';
import { withoutVarying } from '../failures/varying.ts';
import { classify } from '../lines/classify.ts';
import { CAUSES, SEVERITY } from '../lines/rules.ts';
import type { Findings } from '../output/condenser.ts';

const MAX_ERRORS = 40;
/** Compared where no error was recognized. */
const LAST_LINES = 12;

/**
 * The errors of an output without what differs from run to run, in alphabetical order: two outputs with the same errors
 * are the same failure. An output without an error that was recognized is compared by its last lines.
 */
export function comparableErrors(findings: Findings | undefined): string[] {
  if (!findings) return [];
  const failures = severeFailures(findings);
  const errors =
    failures.length > 0
      ? failures.map(({ block }) => comparableError(block))
      : findings.outline.closing.slice(-LAST_LINES).map(({ text }) => bounded(withoutVarying(text)));
  // Errors that differ in what varies only may be one, which two workers have printed.
  return [...new Set(errors)].sort().slice(0, MAX_ERRORS);
}

/** What a failure says, and about which file, without what differs from run to run. */
export function comparableError(block: FailureBlock): string {
  const statement = statementOf(block).map(({ text }) => withoutVarying(text));
  // What is above the name of a test depends on the order of the tests.
  const isNamed = block.severity === SEVERITY.failedTest || fileOf(statement[0] ?? '') !== undefined;
  const file = isNamed ? undefined : fileAbove(block);
  return bounded(`${file === undefined ? '' : `${withoutVarying(file)} `}${statement.join('\n')}`);
}

/** What outside the code made a command fail, and the name or number that an error line gives. */
export interface ExternalCause {
  readonly cause: keyof typeof CAUSES;
  readonly detail: string | undefined;
}

/** @returns undefined if no error names such a cause */
export function externalCause(findings: Findings): ExternalCause | undefined {
  for (const line of errorLines(findings))
    for (const cause of Object.keys(CAUSES) as (keyof typeof CAUSES)[]) {
      const match = CAUSES[cause].exec(line);
      if (match) return { cause, detail: match.slice(1).find((group) => group !== undefined) };
    }
  return undefined;
}

/** The name of a program that was not found, as an error line gives it. */
export function missingProgram(findings: Findings): string | undefined {
  for (const line of errorLines(findings)) {
    const name =
      /command not found: ([\w@./+-]+)/.exec(line) ??
      /(?:^|: )([\w@./+-]+): (?:command )?not found/.exec(line);
    if (name) return name[1];
  }
  return undefined;
}

/** The lines that say what is wrong. The names of tests do not. */
function errorLines(findings: Findings): string[] {
  return severeFailures(findings)
    .flatMap(({ block }) => block.lines.filter(({ priority }) => priority === PRIORITY.error))
    .map(({ text }) => text)
    .filter((text) => classify(text) !== 'failedTest');
}

/** The failures of an output, without the headings above them. */
export function severeFailures({ failures }: Findings): StoredFailure[] {
  return failures.filter(
    ({ severity, block }) => severity >= SEVERITY.thrown && statementOf(block).length > 0,
  );
}
