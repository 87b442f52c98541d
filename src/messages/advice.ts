import type { Findings } from '../diagnostics/condenser.ts';
import { VALUE } from '../diagnostics/failure.ts';
import { meaningOf, WEIGHT } from '../diagnostics/line-meaning.ts';
import type { GateOutcome } from '../gates/types.ts';

/** A failure that is not the code's fault: how it is told, and what helps. */
interface Surroundings {
  readonly sign: RegExp;
  readonly advice: (found: RegExpExecArray) => string;
}

const SURROUNDINGS: readonly Surroundings[] = [
  {
    sign: /\bENOSPC\b|No space left on device|disk quota exceeded/i,
    advice: () =>
      'The disk is full, so this says nothing about the code. Free space (build output, caches that you made), or tell the user.',
  },
  {
    sign: /\bEADDRINUSE\b(?:.*?:(\d{2,5})\b)?|[Aa]ddress already in use(?:.*?:(\d{2,5})\b)?|port (\d{2,5}) is (?:already )?in use/i,
    advice: ([, a, b, c]) =>
      `${a || b || c ? `Port ${a ?? b ?? c}` : 'A port that it needs'} is in use, so this says nothing about the code. End the server if you started it; else tell the user.`,
  },
  {
    sign: /heap out of memory|\bOutOfMemory(?:Error|Exception)\b|\bMemoryError\b|Cannot allocate memory|oom-kill/i,
    advice: () =>
      'It ran out of memory. Look for what grows without end; if nothing does, it needs more memory than there is: tell the user.',
  },
  {
    sign: /(?:Cannot find (?:module|package)|No module named|ERR_MODULE_NOT_FOUND.*package|no required module provides package|package) ['"]?(?!node:)((?:@[\w.-]+\/)?[A-Za-z][\w.-]*)(?:\/[\w./-]+)?['"]?/,
    advice: ([, name]) =>
      `If "${name}" is a dependency, it is not installed: run the project's own install command. If it is part of this project, its import or its name is wrong.`,
  },
  {
    sign: /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|NETUNREACH|TIMEDOUT)\b|Could not resolve host|Temporary failure in name resolution/,
    advice: () =>
      'It could not reach a server. If the project starts that server itself, start it; if it is out in the network, tell the user.',
  },
];

/**
 * What to do about a failure that the code is not to blame for, or probably not.
 *
 * @returns undefined where nothing says so: then it is the code
 */
export function adviceOn(outcome: GateOutcome, findings: Findings | undefined): string | undefined {
  const missing = missingProgram(findings);
  if (outcome.reason === 'not-found')
    return `${missing ? `\`${missing}\`` : 'A program that it calls'} is not installed here, or is misspelled. Install the project's dependencies, or correct the name.`;
  if (outcome.reason === 'not-executable')
    return 'Make the file executable (chmod +x), or call it by its interpreter.';
  if (outcome.reason === 'timed-out')
    return 'Look for what it waits for: a watch mode, a server that never ends, a question, an open handle; its last lines are shown. If it is only slow, tell the user that its timeout is too short.';
  if (wasKilledForMemory(outcome))
    return 'Nothing of ours killed it: most likely the system did, for want of memory. Run less at once, or tell the user.';
  for (const line of errorLines(findings))
    for (const { sign, advice } of SURROUNDINGS) {
      const found = sign.exec(line);
      if (found) return advice(found);
    }
  return undefined;
}

function wasKilledForMemory(outcome: GateOutcome): boolean {
  return (
    (outcome.reason === 'killed' && outcome.signal === 'SIGKILL') ||
    // A shell reports a child that SIGKILL ended as 128 + 9.
    (outcome.reason === 'failed' && outcome.exitCode === 137)
  );
}

function missingProgram(findings: Findings | undefined): string | undefined {
  for (const line of errorLines(findings)) {
    const name =
      /command not found: ([\w@./+-]+)/.exec(line) ??
      /(?:^|: )([\w@./+-]+): (?:command )?not found/.exec(line);
    if (name) return name[1];
  }
  return undefined;
}

/** What was said of errors; the words of a test's name do not count. */
function errorLines(findings: Findings | undefined): string[] {
  const surest = findings?.failures.filter(({ weight }) => weight >= WEIGHT.thrown) ?? [];
  const lines = surest.flatMap(({ failure }) => failure.lines.filter(({ value }) => value === VALUE.error));
  return lines.map(({ text }) => text).filter((text) => !isVerdict(text));
}

function isVerdict(text: string): boolean {
  const meaning = meaningOf(text);
  return meaning.kind === 'failure' && meaning.weight === WEIGHT.verdict;
}
