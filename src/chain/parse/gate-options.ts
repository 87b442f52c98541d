import { isAbsolute, normalize } from 'node:path';
import type { VerifyGate } from '../../state/prompt-step.ts';

/** The words that open a gate. */
export const GATE_WORDS: readonly string[] = ['verify', 'gate_action'];

/** What an option may be set to: the words for the message, and how its text is read. */
interface OptionType<T> {
  readonly expected: string;
  /** Undefined where the text is no such value. */
  read(typed: string): T | undefined;
}

const wholeNumber = (max: number, expected: string): OptionType<number> => ({
  expected,
  read: (typed) =>
    /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= max ? Number(typed) : undefined,
});

const truth: OptionType<boolean> = {
  expected: 'true or false',
  read: (typed) => (typed === 'true' ? true : typed === 'false' ? false : undefined),
};

/** By its words alone. A tilde is a home directory to whoever typed it. */
function staysBelow(path: string): boolean {
  const leaves = /^\.\.(?:\/|$)/.test(normalize(path)) || isAbsolute(path) || path.startsWith('~');
  return !leaves && path.trim() !== '' && !path.includes('\0');
}

/** The options of a verify gate. The upper bounds catch typos: nobody waits for more. */
export const GATE_OPTIONS = {
  max: wholeNumber(100, 'a whole number from 1 to 100'),
  timeout: wholeNumber(86_400, 'a whole number of seconds from 1 to 86400 (a day)'),
  loop: truth,
  checkpoint: truth,
  rollback: truth,
  workingDir: {
    expected: 'a directory inside the project, as "./sub"',
    read: (typed) => (staysBelow(typed) ? typed : undefined),
  } satisfies OptionType<string>,
} as const;

/** What one word sets, as `:fast` does. */
export const PRESETS = {
  fast: { max: 1, timeout: 30 },
  full: { max: 5, timeout: 300 },
  extended: { max: 10, timeout: 600 },
} as const;

/** The options that were typed. */
export type OptionValues = {
  -readonly [K in keyof typeof GATE_OPTIONS]?: NonNullable<ReturnType<(typeof GATE_OPTIONS)[K]['read']>>;
} & { preset?: keyof typeof PRESETS };

/** The gate of a command, with every default filled in. What was typed itself wins over the preset. */
export function gateOf(command: string, values: OptionValues): VerifyGate {
  const { preset = 'full', checkpoint = false, rollback = false, loop, workingDir } = values;
  const { max, timeout } = { ...PRESETS[preset], ...values };
  return { command, maxAttempts: max, timeoutSeconds: timeout, loop, checkpoint, rollback, workingDir };
}
