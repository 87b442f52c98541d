/** The rows of a table of coverage: where a run failed because too little is covered, they say which code is not. */

import { withoutPrefix } from '../lines/prefix.ts';
import type { Line, StoredFailure } from './failure.ts';

/** Says that too little is covered. */
const TOO_LITTLE =
  /^(?!.*(?<!not )\breached\b).*(?:\bcoverage\b.*(?:\b(?:not|below|less|lower|low|under|only|least|fail\w*|minimum|insufficient|required|threshold)\b|\d%? ?< ?\d)|\b(?:fail\w*|minimum|required|threshold)\b.*\bcoverage\b)/i;
/** A file, and columns with nothing but figures, one of them a share; at the end, the lines that are not covered. */
const ROW =
  /^\s*(?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*\.\w{1,8}(?::\d+:\s+\S+)?[\s|]+(?=.*(?:\d%|\d\s*\|))[\d\s.%,|>-]+$/;
/** What is in the columns of a table; the first one may be taken for a prefix. */
const HEADING = /^\s*(?:(?:File|% Stmts)\s.*% Lines\b|Name\s+Stmts\s+Miss\b)/;
/** The sum and the rules of one; and a summary in place of a table. */
const OF_TABLE =
  /^\s*(?:(?:All files|TOTAL)[\s|]+(?=.*\d)[\d\s.%|]+|-{3,}(?:\|-{3,}){2,}\|?|=+ Coverage summary =+|(?:Statements|Branches|Functions|Lines)\s+: [\d.]+% \( \d+\/\d+ \)|coverage: [\d.]+% of statements(?: in \S+)?|-+ coverage: .* -+|Required test coverage of .* reached\..*)\s*$/;
const SHARE = /(?<![\d.])\d{1,3}(?:\.\d+)?(?=%|\s*\|)/g;
/** The rows with the least coverage; those of a long table are not all of use at once. */
const MAX_ROWS = 20;

/** Whether a line is a row of such a table, or says what is in its columns. */
export function isCoverageRow(text: string): boolean {
  return ROW.test(text) || HEADING.test(text);
}

/** Whether a line is part of such a table, if there is one. */
export function isOfCoverage(lines: readonly Line[]): (text: string) => boolean {
  // The first column of a table may be taken for a prefix.
  const formsOf = (text: string) => [text, withoutPrefix(text)];
  const hasTable = lines.some(({ text }) => formsOf(text).some((said) => HEADING.test(said)));
  // Other tables have files with shares, too.
  const isPart = (said: string) => OF_TABLE.test(said) || (hasTable && isCoverageRow(said));
  return (text) => formsOf(text).some(isPart);
}

/** Whether a line says that too little is covered. */
export function saysTooLittleCovered(text: string): boolean {
  return TOO_LITTLE.test(text);
}

/** The columns of Istanbul's table, in the order of its shares. */
const COLUMNS = ['statements', 'branches', 'functions', 'lines'];
/** `Coverage for lines (92.3%) does not meet global threshold (95%)`, `coverage threshold for lines (95%) not met: 92.3%`. */
const UNDER =
  /\b(statements|branches|functions|lines) \((?:[\d.]+%\) does not meet .*threshold \()?([\d.]+)%\)/;

/**
 * The rows of the files of which the least is covered, if a failure is about that; the least first. Behind it is what is in
 * the columns.
 */
export function leastCovered(rows: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const headlines = failures.map(({ block }) => block.headline.text);
  if (!headlines.some(saysTooLittleCovered)) return [];
  const missed = headlines.flatMap((text) => {
    const [, column, least] = UNDER.exec(text) ?? [];
    return column === undefined ? [] : { column: COLUMNS.indexOf(column), least: Number(least) };
  });
  const isLow = ({ text }: Line) =>
    missed.length === 0 || missed.some(({ column, least }) => (sharesOf(text)[column] ?? 100) < least);
  const isHeading = ({ text }: Line) => HEADING.test(withoutPrefix(text));
  const [least, ...others] = rows
    .filter((row) => !isHeading(row) && coveredOf(row) < 100 && isLow(row))
    .toSorted((a, b) => coveredOf(a) - coveredOf(b))
    .slice(0, MAX_ROWS);
  const heading = rows.findLast((row) => isHeading(row) && row.at < (least?.at ?? 0));
  return [least, heading, ...others].filter((row) => row !== undefined);
}

/** In percent. */
function sharesOf(row: string): number[] {
  return (withoutPrefix(row).match(SHARE) ?? []).map(Number);
}

/** The least share of a row, in percent. */
function coveredOf({ text }: Line): number {
  return Math.min(...sharesOf(text));
}
