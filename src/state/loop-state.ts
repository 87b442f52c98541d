/** The loop's state as it lies on disk: the Python hook's schema, and whatever else it holds. */
export interface LoopState {
  readonly task: string;
  /** Stop attempts counted so far, 0 after a reset. */
  readonly iteration: number;
  /** Naive local ISO time, as Python's `datetime.now().isoformat()`; null where Python would have none. */
  readonly started_at: string | null;
  readonly [unknownKey: string]: unknown;
}

export interface LoopRules {
  /** The loop's key: a Trellis task, or a session and agent. */
  readonly task: string;
  readonly stateTimeoutMinutes: number;
}

/**
 * Counts a stop attempt. Another task, or a loop older than the timeout, starts again at 1.
 *
 * @param previous undefined where there is no state, or none that can be used
 */
export function beginAttempt(previous: LoopState | undefined, rules: LoopRules, now: Date): LoopState {
  const goesOn =
    previous?.task === rules.task && !hasExpired(previous.started_at, rules.stateTimeoutMinutes, now);
  if (goesOn) return { ...previous, iteration: previous.iteration + 1 };
  return {
    ...(previous && resetState(previous)),
    task: rules.task,
    iteration: 1,
    started_at: naiveLocalTime(now),
  };
}

/** After a pass, and at the cap: the next stop attempt is the first again. */
export function resetState({ cancelled: _, ...state }: LoopState): LoopState {
  const { task, started_at } = state;
  return { ...state, task, started_at, iteration: 0 };
}

/** A person has called the loop off: its next stop is allowed. */
export function cancelAttempt(state: LoopState): LoopState {
  return { ...state, cancelled: true };
}

export function isCancelled({ cancelled }: LoopState): boolean {
  return cancelled === true;
}

/**
 * Whether a loop is too old to be gone on with. As in Python: no time at all never expires, a time that cannot be
 * read or carries a zone (Python cannot subtract it) always has.
 */
export function hasExpired(startedAt: string | null, timeoutMinutes: number, now: Date): boolean {
  if (!startedAt) return false;
  const started = parseNaiveLocalTime(startedAt);
  return started === undefined || now.getTime() - started.getTime() > timeoutMinutes * 60_000;
}

const NAIVE_ISO = /^(\d{4})-(\d\d)-(\d\d)(?:.(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?)?)?$/su;

/** @returns undefined for anything but a naive ISO time */
export function parseNaiveLocalTime(text: string): Date | undefined {
  const parts = NAIVE_ISO.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date = new Date(
    year,
    month - 1,
    day,
    hour,
    minute,
    second,
    Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3)),
  );
  // Date rolls 31 February over into March; Python refuses it.
  const isReal = date.getMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  return isReal ? date : undefined;
}

/** Local time without a zone, in microseconds as Python writes it: `2026-01-31T10:30:00.123000`. */
export function naiveLocalTime(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}000`;
}

/**
 * Reads a state file's text.
 *
 * @returns why it cannot be used, where it cannot: the caller starts afresh
 */
export function parseLoopState(text: string): { state: LoopState } | { unusable: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { unusable: 'it is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { unusable: 'it is not an object' };
  const { task, iteration = 0, started_at: startedAt = null } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(iteration) || Number(iteration) < 0)
    return { unusable: `its iteration is ${JSON.stringify(iteration)}` };
  return {
    state: {
      ...value,
      task: typeof task === 'string' ? task : '',
      iteration: Number(iteration),
      // A number or a list, say: kept as a time that cannot be read, which has always expired.
      started_at: typeof startedAt === 'string' ? startedAt : startedAt ? JSON.stringify(startedAt) : null,
    },
  };
}
