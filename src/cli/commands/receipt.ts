import { jsonText } from '../../base/text.ts';
import { environmentOfGates } from '../../gates/nesting.ts';
import { wrapped } from '../../messages/wrapped.ts';
import { runCommand } from '../../process/run-command.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskTexts } from '../../process/secrets/masker.ts';
import { receiptOf } from '../../report/receipt.ts';
import { receiptMarkdown, receiptText } from '../../report/receipt-text.ts';
import { planVerification } from '../../verification/plan.ts';
import { EXIT, print, stdoutColumns, stdoutPaint } from '../terminal.ts';

interface ReceiptOptions {
  readonly md?: boolean;
  readonly json?: boolean;
  /** Exit with 1 unless the status is PASS. */
  readonly check?: boolean;
}

/**
 * `ralph-loop receipt`: prints whether the gates have passed on the present files.
 *
 * @returns the exit code: with `check` 1 unless they have
 */
export async function receipt({ md = false, json = false, check = false }: ReceiptOptions): Promise<number> {
  const planned = await planVerification(process.cwd(), { only: [] });
  const env = planned.ok ? environmentOfGates(planned.value.request.root, process.env) : process.env;
  const context = { runCommand, now: () => new Date(), env, signal: new AbortController().signal };
  const shown = maskTexts(await receiptOf(planned, context), secretsIn(process.env));
  if (json) print(jsonText(shown));
  else if (md) print(receiptMarkdown(shown));
  else print(receiptText(shown, stdoutPaint()).flatMap((line) => wrapped(line, stdoutColumns())));
  return check && shown.status !== 'PASS' ? EXIT.failed : EXIT.ok;
}
