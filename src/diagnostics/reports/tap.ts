import { addFailure, linesIn, type Report, type ReportedFailure } from './types.ts';

/** No tests are deeper. */
const MAX_SUITES = 50;
/** Of one test, so many lines are kept. */
const MAX_LINES = 400;

const TEST = /^(\s*)(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*)$/;
const EXCUSED = /(?:^|\s)#\s*(?:TODO|SKIP)\b/i;
const PLAN = /^\s*1\.\.\d+/;
const BAIL_OUT = /^\s*Bail out!/i;
const COMMENT = /^\s*#/;
const BLOCK_START = /^\s*---\s*$/;
const BLOCK_END = /^\s*\.\.\.\s*$/;
/** The member of a block of YAML that says what is wrong. */
const MESSAGE = /^(?:error|message):\s*(.*)$/;
/** Members that say nothing about why a test failed. */
const IDLE = /^(?:duration_ms|time|type|failureType|severity|generatedMessage|_tapMicroDebug|retry):/;

/** The heading of a test with tests in it, before them. */
const SUBTEST = /^(\s*)# Subtest: (.*)$/;

interface Failed {
  readonly name: string;
  readonly lines: string[];
}

/** Reads TAP 12 to 14 (testanything.org): a test that failed with its block of YAML, or with the comments below it. */
export function readTap(text: string): Report {
  const failures: ReportedFailure[] = [];
  let failed: Failed | undefined;
  let isInBlock = false;
  let hasPlan = false;
  /** The indentations at which tests have failed; a test above them has failed for no other reason. */
  const failedAt = new Set<number>();
  /** The names of the tests around, by their indentation. */
  const around = new Map<number, string>();
  const end = () => {
    if (failed) addFailure(failures, { kind: 'test', name: failed.name, ...read(failed.lines) });
    failed = undefined;
  };
  for (const line of linesIn(text)) {
    if (isInBlock) {
      isInBlock = !BLOCK_END.test(line);
      if (isInBlock && failed && failed.lines.length < MAX_LINES) failed.lines.push(line);
      // The comments after a block are about the run.
      if (!isInBlock) end();
      continue;
    }
    if (BLOCK_START.test(line)) {
      isInBlock = true;
      continue;
    }
    const subtest = SUBTEST.exec(line);
    if (failed && !subtest && COMMENT.test(line)) {
      if (failed.lines.length < MAX_LINES) failed.lines.push(line);
      continue;
    }
    if (line.trim() !== '') end();
    const test = TEST.exec(line);
    if (test) {
      const [, indent = '', not, rest = ''] = test;
      const level = indent.length;
      const below = [...failedAt].filter((other) => other > level);
      for (const other of below) failedAt.delete(other);
      if (!not || EXCUSED.test(rest)) continue;
      failedAt.add(level);
      const suites = [...around].filter(([other]) => other < level).map(([, name]) => name);
      if (below.length === 0) failed = { name: [...suites, rest].join(' > '), lines: [] };
    } else if (subtest) {
      const level = (subtest[1] ?? '').length;
      for (const other of [...around.keys()]) if (other >= level) around.delete(other);
      if (around.size < MAX_SUITES) around.set(level, subtest[2] ?? '');
    } else if (PLAN.test(line)) hasPlan = true;
    else if (BAIL_OUT.test(line)) addFailure(failures, { kind: 'error', message: line.trim() });
  }
  end();
  return { failures, isWhole: hasPlan && !isInBlock };
}

/** The message and the details in a block of YAML, without its idle members; or in comments, without their mark. */
function read(lines: readonly string[]): Pick<ReportedFailure, 'message' | 'details'> {
  const own = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...own.map((line) => line.search(/\S/)));
  const message: string[] = [];
  const details: string[] = [];
  let kept: string[] | undefined = details;
  for (const line of lines.map((each) => each.slice(indent))) {
    const [, text] = MESSAGE.exec(line) ?? [];
    if (/^\S/.test(line)) kept = text !== undefined ? message : IDLE.test(line) ? undefined : details;
    kept?.push(text === undefined ? line.replace(/^#\s?/, '') : unquoted(text));
  }
  return {
    message: message.map((line) => line.replace(/^ {2}/, '')).join('\n'),
    details: details.join('\n'),
  };
}

/** A scalar on one line; nothing for the sign of one on the lines below. */
function unquoted(scalar: string): string {
  if (/^[|>][-+\d]*$/.test(scalar)) return '';
  return /^(["']).*\1$/.test(scalar) ? scalar.slice(1, -1) : scalar;
}
