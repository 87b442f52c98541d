import { classify } from './classify.ts';
import type { Findings } from './condenser.ts';
import { normalized, PRIORITY, type StoredFailure, signatureOf } from './failure.ts';
import { CAUSES, SEVERITY } from './rules.ts';

const MAX_ERRORS = 40;
const MAX_CHARACTERS = 300;

/**
 * The errors of an output without what differs from run to run: two outputs with the same errors are the same failure.
 * An output without an error that was recognized is compared by its last lines.
 */
export function comparableErrors(findings: Findings | undefined): string[] {
  if (!findings) return [];
  const failures = severeFailures(findings);
  const errors =
    failures.length > 0
      ? failures.map(({ block }) => signatureOf(block))
      : findings.outline.closing.map(({ text }) => normalized(text));
  return errors.slice(0, MAX_ERRORS).map((error) => error.slice(0, MAX_CHARACTERS));
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

function severeFailures({ failures }: Findings): StoredFailure[] {
  return failures.filter(({ severity }) => severity >= SEVERITY.thrown);
}
