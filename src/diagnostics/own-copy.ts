import type { Failure, Line } from './failure.ts';

/**
 * A copy that keeps nothing else in memory: a line is a slice, and keeps the chunk of 64 kB alive that it was cut from.
 */
export function detachString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** A failure whose lines keep nothing else in memory. */
export function detachFailure({ weight, form, headline, lines }: Failure): Failure {
  const own = <L extends Line>(line: L): L => ({ ...line, text: detachString(line.text) });
  return { weight, form, headline: own(headline), lines: lines.map(own) };
}
