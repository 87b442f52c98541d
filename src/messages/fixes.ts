import { oneLine } from '../base/text.ts';
import type { Line } from '../diagnostics/failures/failure.ts';
import { prefixOf, taskOf } from '../diagnostics/lines/prefix.ts';
import type { Findings } from '../diagnostics/output/condenser.ts';

/** A tool that can fix what its check reports. */
interface Fixer {
  /** The fixing command, without files. */
  readonly fix: string;
  readonly does: string;
  /** A command line that only checks. */
  readonly check?: RegExp;
  /** What makes the fixing command of the checking one: texts to replace. */
  readonly rewrite?: readonly (readonly [RegExp, string])[];
  /** A line that only this tool prints, and only if it found something that it fixes. */
  readonly says?: RegExp;
  /** A line that names a file to fix; absent for a tool that fixes a project as a whole. */
  readonly file?: RegExp;
}

const FORMAT = 'fixes the formatting';
const LINT = 'fixes the problems that are reported as fixable';
const LOCK_FILE = 'updates the lock file';

/** The one table of fixing commands. None changes more than its check reports. */
const FIXERS: readonly Fixer[] = [
  ...['gofmt', 'gofumpt', 'goimports'].map((tool) => ({
    fix: `${tool} -w`,
    does: FORMAT,
    check: new RegExp(`\\b${tool}\\b.*\\s-[ld]\\b`),
    rewrite: [[/\s-[ld]\b/, ' -w']] as const,
    file: /^(?:diff \S+\.orig )?(\S+\.go)$/,
  })),
  {
    fix: 'black',
    does: FORMAT,
    check: /\bblack\b.*\s--(?:check|diff)\b/,
    rewrite: [[/\s--(?:check|diff)\b/g, '']],
    says: /^would reformat \S/,
    file: /^would reformat (.+)$/,
  },
  {
    fix: 'ruff format',
    does: FORMAT,
    check: /\bruff format\b.*\s--(?:check|diff)\b/,
    rewrite: [[/\s--(?:check|diff)\b/g, '']],
    says: /^Would reformat: \S/,
    file: /^Would reformat: (.+)$/,
  },
  {
    fix: 'ruff check --fix',
    does: LINT,
    check: /\bruff check\b/,
    rewrite: [[/\bruff check\b/, 'ruff check --fix']],
    says: /^\[\*\] \d+ fixable with the `--fix` option/,
  },
  {
    fix: 'isort',
    does: 'sorts the imports',
    check: /\bisort\b.*\s(?:--check-only|--check|--diff|-c)\b/,
    rewrite: [[/\s(?:--check-only|--check|--diff|-c)\b/g, '']],
    says: /^ERROR: .+ Imports are incorrectly sorted/,
    file: /^ERROR: (.+) Imports are incorrectly sorted/,
  },
  {
    fix: 'npx prettier --write',
    does: FORMAT,
    check: /\bprettier\b.*\s(?:--check|-c)\b/,
    rewrite: [[/\s(?:--check|-c)\b/, ' --write']],
    says: /^\[warn\] Code style issues |^Error occurred when checking code style in /,
    file: /^\[warn\] (\S+\.\w+)$/,
  },
  {
    fix: 'npx prettier --write',
    does: FORMAT,
    check: /\bprettier\b.*\s(?:--list-different|-l)\b/,
    rewrite: [[/\s(?:--list-different|-l)\b/, ' --write']],
    file: /^(\S+\.\w+)$/,
  },
  {
    fix: 'npx eslint --fix',
    does: LINT,
    check: /\beslint\b/,
    rewrite: [[/\beslint\b/, 'eslint --fix']],
    says: /\b[1-9]\d* errors? and \d+ warnings? potentially fixable with the `--fix` option/,
  },
  {
    fix: 'npx stylelint --fix',
    does: LINT,
    check: /\bstylelint\b/,
    rewrite: [[/\bstylelint\b/, 'stylelint --fix']],
    says: /\b[1-9]\d* (?:errors?|problems?) potentially fixable with the "--fix" option/,
  },
  {
    fix: 'npx biome format --write',
    does: FORMAT,
    check: /\bbiome\S* (?:check|format|ci)\b/,
    rewrite: [[/(\bbiome\S*) (?:check|format|ci)\b/, '$1 format --write']],
    says: /^\s*[×x] Formatter would have printed the following content/,
    file: /^(\S+) format ━/,
  },
  {
    fix: 'cargo fmt',
    does: FORMAT,
    check: /\bcargo fmt\b.*\s--check\b/,
    rewrite: [[/(?:\s--)?\s--check\b/, '']],
    says: /^Diff in \S+\.rs(?::\d+:| at line \d+:)$/,
  },
  {
    fix: 'dotnet format',
    does: FORMAT,
    check: /\bdotnet format\b.*\s--verify-no-changes\b/,
    rewrite: [[/\s--verify-no-changes\b/, '']],
    says: /: error (?:WHITESPACE|ENDOFLINE|FINALNEWLINE|CHARSET|IMPORTS): Fix /,
  },
  {
    fix: 'clang-format -i',
    does: FORMAT,
    check: /\bclang-format\b.*\s(?:--dry-run|-n)\b/,
    rewrite: [
      [/\s(?:--dry-run|-n|--Werror)\b/g, ''],
      [/\bclang-format\b/, 'clang-format -i'],
    ],
    says: /code should be clang-formatted \[-Wclang-format-violations\]/,
    file: /^(\S.*?):\d+:\d+: (?:error|warning): code should be clang-formatted/,
  },
  {
    fix: 'shfmt -w',
    does: FORMAT,
    check: /\bshfmt\b.*\s-[ld]\b/,
    rewrite: [[/\s-[ld]\b/, ' -w']],
    file: /^(\S*\w\.?\w*sh|[\w./-]*\/[\w-]+)$/,
  },
  {
    fix: 'terraform fmt',
    does: FORMAT,
    check: /\bterraform fmt\b.*\s-check\b/,
    rewrite: [[/\s-check\b(?:=true)?/, '']],
    file: /^(\S+\.(?:tf|tfvars|tftest\.hcl))$/,
  },
  {
    fix: 'npm install',
    does: LOCK_FILE,
    says: /`npm ci` can only install packages when your package\.json and package-lock\.json/,
  },
  {
    fix: 'go mod tidy',
    does: 'updates go.mod and go.sum',
    says: /missing go\.sum entry|updates to go\.(?:mod|sum) needed/,
  },
];

/** With more files, the command that names none is easier to read. */
const MAX_FILES = 5;
const MAX_CHARACTERS = 250;
/** A name that a shell takes as it is, and no program for an option. */
const SAFE_NAME = /^[\w./@+][\w./@+-]*$/;
/** A command line that a shell does not take apart, without a placeholder. */
const SIMPLE_COMMAND = /^[^;&|<>(){}$`\\\n#]+$/;
/** The tool runs in another directory, from which it names the files. */
const ELSEWHERE = /\bcd\s|\s(?:-C|-w|-F|--(?:cwd|dir|directory|filter|prefix|workspaces?))\b/;
/** Runs a script whose name may be that of the tool. */
const SCRIPT =
  /\b(?:npm|pnpm|yarn|bun) (?:-\S+ )*run\b|^(?:\S*\/)?(?:make|just|task|rake|nx|turbo|tox|nox)\b/;

/**
 * Names the command that fixes what a gate reports, if its tool has one.
 *
 * @param command the gate's: it may hide the tool in a script, so the output decides too
 * @param directory where the gate runs, relative to the project; empty for its root
 */
export function fixFor(command: string, findings: Findings, directory = ''): string | undefined {
  const fix = fixIn(command, findings);
  return fix === undefined || directory === '' ? fix : `In ${oneLine(directory, 80)}, ${fix}`;
}

function fixIn(command: string, findings: Findings): string | undefined {
  const printed = linesOf(findings);
  const lines = printed.map(({ text }) => text.slice(prefixOf(text).length));
  const fixer = FIXERS.find((each) => applies(each, command, lines));
  if (!fixer) return undefined;
  const { fix, does, file } = fixer;
  const isHere = !ELSEWHERE.test(command) && printed.every(({ prefix }) => taskOf(prefix) === '');
  const files = file && isHere && findings.outline.whole ? filesIn(lines, file) : [];
  const listed = `${fix} ${files.join(' ')}`;
  if (files.length > 0 && files.length <= MAX_FILES && files.every((name) => SAFE_NAME.test(name)))
    if (listed.length <= MAX_CHARACTERS) return `\`${listed}\` ${does}.`;
  const rewritten = rewriteOf(fixer, command);
  if (rewritten !== undefined) return `\`${rewritten}\` ${does}.`;
  return `\`${fix}\`${file ? ', with the files and options of the check,' : ''} ${does}.`;
}

function applies({ check, says, file }: Fixer, command: string, lines: readonly string[]): boolean {
  const isRun = check?.test(command) || (check && lines.some((line) => check.test(line)));
  if (says ? !lines.some((line) => says.test(line)) : !isRun) return false;
  return file === undefined || lines.some((line) => file.test(line));
}

function filesIn(lines: readonly string[], file: RegExp): string[] {
  return [...new Set(lines.flatMap((line) => file.exec(line)?.[1] ?? []))];
}

function rewriteOf({ check, rewrite = [] }: Fixer, command: string): string | undefined {
  if (!check?.test(command) || !SIMPLE_COMMAND.test(command) || SCRIPT.test(command)) return undefined;
  const rewritten = rewrite.reduce((text, [from, to]) => text.replace(from, to), command);
  return rewritten.length <= MAX_CHARACTERS ? rewritten : undefined;
}

/** The lines that were kept, each at least once. */
function linesOf({ outline, failures }: Findings): readonly Line[] {
  const { whole, head, tail, closing, unique, near, lists } = outline;
  const kept = whole
    ? [whole]
    : [
        head,
        tail,
        closing,
        unique,
        near,
        ...lists.map(({ lines }) => lines),
        ...failures.map(({ block }) => block.lines),
      ];
  return kept.flat();
}
