/** The titles of the steps of a script: `==> lint`, `=== [2/3] lint ===`, `::group::lint`. */

import type { Line } from './failure.ts';

/** The title of a step: `==> lint`, `::group::lint`, `▶ lint: eslint src`; a sentence, or what signs follow, is none. */
const TITLE =
  /^(::group::|##\[group\]|=+>|={2,}|#{2,}|-{3,}|>{2,}|:{3}|[▶▸►➤]) ?(?:\[\d+(?:\/\d+)?\] )?([A-Za-z][\w./:@+ -]{0,70}?\w)(?:(?::| {2,}) *[a-z][\w./-]* .+)?$/;
/** A test of Node.js, which has the sign of a title before the name of a suite. */
const TEST_IN_SUITE = /^ +[▶✔✖﹣] /;
const SUITE = '▶';
/** With a ruler behind it: few signs are before it, unlike a title in the middle of a ruler. */
const RULED =
  /^(={2,4}|#{2,4}|-{2,4}|>{2,4}) (?:\[\d+(?:\/\d+)?\] )?([A-Za-z][\w./:@+ -]{0,70}?\w) [=#-]{2,}$/;
/** What begins in the same way: results of tests in Go, what is said of one in Rust and in Tcl, and the lines of a diff. */
const NO_TITLE =
  /^(?:---- .* std(?:out|err) ----$|---- (?:\S+ start$|error(?:Code|Info): )|=== (?:RUN|PAUSE|CONT|NAME|FAIL|PASS|SKIP|Failed|Errors|Skipped)\b|--- (?:FAIL|PASS|SKIP|Expected|[ab]\/|\S+\.\w+(?:\s|$)))/;
/** The environment of tox in which a command runs. */
export const OF_TOX = /^([\w.-]+)(?: run-test: commands\[\d+\] \||: commands\[\d+\]>) /;
export const TOX = 'tox';
/** A hook of pre-commit, with its result. */
const OF_HOOK = /^(\S.*?)\.{3,}(?:\([\w ]+\))?(Passed|Failed|Skipped)$/;
const HOOK = 'hook';

/** What a title says of a step. */
interface StepTitle {
  /** The sign before the name, or the tool: titles of other forms are about something else. */
  readonly form: string;
  readonly name: string;
  /** Whether the title says so. */
  readonly hasFailed?: boolean;
}

/** The titles of the form that comes first; none if fewer than two have other names. */
export function stepTitlesIn(lines: readonly Line[]): ReadonlyMap<Line, StepTitle> {
  const titles = lines.flatMap((line, index): [Line, StepTitle][] => {
    const title = titleIn(line.text);
    const isSuite = title?.form === SUITE && TEST_IN_SUITE.test(lines[index + 1]?.text ?? '');
    return title && !isSuite ? [[line, title]] : [];
  });
  const ofForm = titles.filter(([, { form }]) => form === titles[0]?.[1].form);
  return new Map(new Set(ofForm.map(([, { name }]) => name)).size < 2 ? [] : ofForm);
}

function titleIn(text: string): StepTitle | undefined {
  const tox = OF_TOX.exec(text)?.[1];
  if (tox !== undefined) return { form: TOX, name: tox };
  const [, hook, result] = OF_HOOK.exec(text) ?? [];
  if (hook !== undefined) return { form: HOOK, name: hook, hasFailed: result === 'Failed' };
  const [, form, name] = NO_TITLE.test(text) ? [] : (RULED.exec(text) ?? TITLE.exec(text) ?? []);
  return form !== undefined && name !== undefined ? { form, name } : undefined;
}
