import type { Failure } from '../../base/result.ts';
import { maskText } from '../../process/mask-text.ts';
import { secretsIn } from '../../process/secrets.ts';

export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Tells a person why not. @returns the exit code */
export function refused(what: string, { message }: Failure): number {
  process.stderr.write(`${maskText(`${what}: ${message}`, secretsIn(process.env))}\n`);
  return 1;
}
