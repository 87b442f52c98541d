/** What a transcript says, in the words of no host. Times are milliseconds since 1970. */
export type TranscriptEvent =
  /** Where the session works, as far as the transcript says. */
  | { readonly kind: 'session'; readonly id: string | undefined; readonly cwd: string | undefined }
  /** A person, or a program in a person's place, asks for something: a turn begins. */
  | { readonly kind: 'prompt'; readonly at: number }
  /** The agent calls its shell. */
  | { readonly kind: 'command'; readonly at: number; readonly call: string; readonly command: string }
  /** The agent calls a tool that changes a file; `path` is absolute, or relative to the session's directory. */
  | { readonly kind: 'edit'; readonly at: number; readonly call: string; readonly path: string | undefined }
  /** A call has ended; null where the transcript has no exit code. An edit that was made has the exit code 0. */
  | { readonly kind: 'result'; readonly at: number; readonly call: string; readonly exit: number | null }
  /** The agent says something to the person. */
  | { readonly kind: 'message'; readonly at: number; readonly text: string }
  /** A person ended the turn, or an error did. */
  | { readonly kind: 'interrupted'; readonly at: number };

/** Reads the lines of one transcript, in their order. */
export interface LineReader {
  /** Whether a line may have an event, by its bytes: most of a transcript is output that decides nothing. */
  matters(line: Buffer): boolean;
  /** @param record the line, parsed; anything at all */
  events(record: unknown): readonly TranscriptEvent[];
}

/** The value at a path of keys and indexes; undefined where there is none. */
export function valueAt(value: unknown, ...keys: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/** The same for a text. */
export function textAt(value: unknown, ...keys: readonly (string | number)[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** The same for a number. */
export function numberAt(value: unknown, ...keys: readonly (string | number)[]): number | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'number' ? found : undefined;
}

/** The same for a list; empty where there is none. */
export function listAt(value: unknown, ...keys: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** The time of a record, in ISO 8601. */
export function timeAt(value: unknown, ...keys: readonly (string | number)[]): number {
  return Date.parse(textAt(value, ...keys) ?? '');
}

/** The reason of a blocked stop, which several hosts record as a message of the person: it continues the turn. */
export function isHookFeedback(text: string): boolean {
  return /^(?:Stop hook feedback:\s*)?Iteration \d+\/\d+\. /.test(text) || /^Stop hook feedback:/.test(text);
}
