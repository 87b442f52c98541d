import type { Why } from '../../checkpoint/refusal.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskText } from '../../process/secrets/masker.ts';

export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Tells a person why not. @returns the exit code */
export function refused(what: string, { why }: Why): number {
  process.stderr.write(`${maskText(`${what}: ${why}`, secretsIn(process.env))}\n`);
  return 1;
}
