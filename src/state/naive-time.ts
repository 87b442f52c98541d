const NAIVE_ISO = /^(\d{4})-(\d\d)-(\d\d)(?:.(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?)?)?$/su;

/**
 * Parses a local time without a zone, as Python's `datetime.fromisoformat` does.
 *
 * @returns undefined for every other text
 */
export function parseNaiveLocalTime(text: string): Date | undefined {
  const parts = NAIVE_ISO.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(year, month - 1, day, hour, minute, second, milliseconds);
  // Date turns 31 February into a day of March; Python refuses it.
  const isReal = date.getMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  return isReal ? date : undefined;
}

/** Formats a local time without a zone, in microseconds as Python does: `2026-01-31T10:30:00.123000`. */
export function naiveLocalTime(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}000`;
}
