import type { Line, StoredFailure } from './failure.ts';
import { withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';

/** How far apart the lines of one step may be: package managers print the name of a script, a blank line, and its command. */
const REACH = 2;
/** The marks of lines that announce a step; the rest of the line says which. */
const MARKS: readonly RegExp[] = [
  /^> (?:Task :|nx run |@?[\w./-]+:[\w:-]+$|@?[\w./-]+@\d\S* [\w:.-]+$)/,
  /^(?:==+>|⧗|\$|▶|🏃) +\S/u,
  // A task of Gradle's plain console, also if there was nothing to do.
  /^:[a-z][\w-]*(?::[a-z][\w-]*)*(?: [A-Z]+-[A-Z-]+| SKIPPED)?$/,
  // A compiler or a linker, with its output.
  /^([\w./+-]+) (?:.* )?-[co] \S/,
];
/** The command of the script that is named above. */
const COMMAND = /^> (?!\d|Task )\S/;

/**
 * Without the steps that another step of their kind follows, with nothing shown in between: they ended well. Where nothing
 * is sure to have failed, they may say where it did.
 */
export function withoutSilentSteps(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const sure = failures.filter(({ severity }) => severity >= SEVERITY.thrown);
  if (sure.length === 0) return [...lines];
  const wrong = new Set(sure.map(({ block }) => block.headline.at));
  const silent = new Set<Line>();
  let step: { readonly kind: string; readonly lines: Line[] } | undefined;
  for (const line of lines) {
    if (line.text === '') continue;
    const kind = wrong.has(line.at) ? undefined : kindOf(line.text);
    if (step && kind === undefined && isCommandOf(step.lines, line)) {
      step.lines.push(line);
      continue;
    }
    if (step && step.kind === kind) for (const announced of step.lines) silent.add(announced);
    step = kind === undefined ? undefined : { kind, lines: [line] };
  }
  return lines.filter((line) => !silent.has(line));
}

function isCommandOf(step: readonly Line[], { at, text }: Line): boolean {
  const above = step.at(-1);
  return above !== undefined && at - above.at <= REACH && COMMAND.test(withoutPrefix(text));
}

/** What a step has in common with those of its kind: the mark, and the name of a program. */
function kindOf(text: string): string | undefined {
  const said = withoutPrefix(text);
  for (const mark of MARKS) {
    const match = mark.exec(said);
    if (match) return `${mark.source} ${match[1] ?? ''}`;
  }
  return undefined;
}
