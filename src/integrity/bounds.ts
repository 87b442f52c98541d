// What the check may cost, whatever the files of a change contain: they are written by those who are judged.

import { runInNewContext } from 'node:vm';
import { failure, type Result, success } from '../base/result.ts';
import { count, oneLine } from '../base/text.ts';
import { LANGUAGES, languageOf } from './languages.ts';
import { lex, type Token } from './lexer.ts';
import { isJudged } from './paths.ts';
import type { FileChange, Finding, ProjectChange } from './types.ts';

/** The deepest of 9,000 files of packages has 19. Readers look at a token once for each level around it. */
const MAX_DEPTH = 200;

/** Half of it is enough for a thousand changed files. The shortest default timeout of a host is 30 s. */
const MAX_MS = 10_000;

/** How many files are judged alone to find the one that takes so long: together in half of the time. */
const MAX_SUSPECTS = 10;

const BEYOND_BOUNDS = 'takes too long or nests too deep to be judged';

/** What is judged of a change, and the files of it that are too deep. */
export interface Readable {
  readonly change: ProjectChange;
  readonly findings: readonly Finding[];
}

/** Takes the files out of a change that no reader can judge. Each of them is a finding. */
export function readableOf(change: ProjectChange): Readable {
  const judged: FileChange[] = [];
  const findings: Finding[] = [];
  for (const each of change.changes) {
    const reason = unreadable(each);
    if (reason === undefined) judged.push(each);
    else findings.push(reason);
  }
  return { change: { ...change, changes: judged }, findings };
}

function unreadable({ path, oldPath = path, before, after, unread }: FileChange): Finding | undefined {
  if (unread !== undefined)
    return unjudged(path, `the file ${unread}, and is not judged`, before !== undefined);
  const line = tooDeepAt(path, after);
  const wasTooDeep = tooDeepAt(oldPath, before) !== undefined;
  if (line === undefined && !wasTooDeep) return undefined;
  const message = `the code ${line === undefined ? 'was' : 'is'} nested more than ${MAX_DEPTH} levels deep, and is not judged`;
  return { ...unjudged(path, message, !wasTooDeep), line };
}

function unjudged(path: string, message: string, couldBeJudged: boolean): Finding {
  const severity = isJudged(path) ? (couldBeJudged ? 'high' : 'medium') : couldBeJudged ? 'medium' : 'low';
  return { rule: 'not-judged', severity, path, message };
}

/** The line where code is nested too deep. A bracket that is never closed is around all that follows. */
function tooDeepAt(path: string, text = ''): number | undefined {
  const language = languageOf(path);
  // Each level takes a character at least.
  if (!language || text.length < MAX_DEPTH) return undefined;
  const { tokens } = lex(text, LANGUAGES[language]);
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (opensBlock(token)) depth++;
    else if (token.partner !== -1 && token.partner < at) depth--;
    if (depth > MAX_DEPTH) return token.line;
  }
  return undefined;
}

function opensBlock({ kind, text }: Token): boolean {
  return kind === 'indent' || (kind === 'sign' && (text === '(' || text === '[' || text === '{'));
}

/**
 * Finds what a change made weaker, or the file that keeps the check from an end, also by a mistake in a reader: an error would
 * allow the stop of an agent that knows one.
 *
 * @param find must be synchronous
 */
export function findWithinBounds(
  change: ProjectChange,
  find: (change: ProjectChange) => readonly Finding[],
  maxMs = MAX_MS,
): readonly Finding[] {
  const judged = judgeWithin(maxMs, () => find(change));
  if (judged.ok) return judged.value;
  const isBeyond = judged.failure.message === BEYOND_BOUNDS;
  const largest = change.changes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const cannotBeJudged = (each: FileChange) =>
    !judgeWithin(maxMs / (2 * MAX_SUSPECTS), () => find({ ...change, changes: [each] })).ok;
  // A mistake shows at once in a file of any size.
  const suspect = largest.slice(0, isBeyond ? MAX_SUSPECTS : undefined).find(cannotBeJudged);
  const path = (suspect ?? largest[0])?.path ?? '.';
  const message = suspect
    ? `the file ${judged.failure.message}; nothing else that changed was judged`
    : `one of ${count(change.changes.length, 'changed file')} ${judged.failure.message}; this one is the largest`;
  return [{ rule: 'not-judged', severity: suspect || !isBeyond ? 'high' : 'medium', path, message }];
}

/**
 * Ends a function that takes too long or recurses too deep, even within a regular expression. Nothing else in the process
 * could, and a host that ends a hook allows the stop.
 *
 * @returns why there are no findings, as what a file does
 */
function judgeWithin(timeout: number, find: () => readonly Finding[]): Result<readonly Finding[]> {
  try {
    return success(runInNewContext('find()', { find }, { timeout }) as readonly Finding[]);
  } catch (error) {
    if (isOutOfBounds(error)) return failure(BEYOND_BOUNDS);
    const { name, message } = error as Error;
    return failure(
      `makes the check fail, which is a bug of ralph-loop (${oneLine(`${name}: ${message}`, 120)})`,
    );
  }
}

/** Whether a call stack is full, or the time is up: that error is of the other context, whose classes are not those of this one. */
function isOutOfBounds(error: unknown): boolean {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  return name === 'RangeError' || code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function sizeOf({ before = '', after = '' }: FileChange): number {
  return before.length + after.length;
}
