import { Condenser, type Findings, type GateFindings } from '../../src/diagnostics/condenser.ts';
import type { GateResult } from '../../src/gates/types.ts';
import type { OutputStream } from '../../src/process/recording.ts';

/** What one stream brought at once. */
export type Piece = readonly [stream: OutputStream, text: string | Buffer];

/** What the condenser finds in an output: in a text on stdout, or in pieces in order of arrival. */
export function condensed(output: string | Buffer | readonly Piece[]): Findings {
  const pieces: readonly Piece[] =
    typeof output === 'string' || Buffer.isBuffer(output) ? [['stdout', output]] : output;
  const condenser = new Condenser();
  for (const [stream, text] of pieces) condenser.write(stream, Buffer.from(text));
  return condenser.findings();
}

/** What is found in what each gate printed; those that printed nothing are not in it. */
export function findingsOf(results: readonly GateResult[]): GateFindings {
  const printing = results.filter(({ output }) => output.head.some(({ text }) => text !== ''));
  return new Map(
    printing.map(({ gate, output }) => [
      gate,
      condensed([...output.head, ...output.tail].map(({ stream, text }) => [stream, text])),
    ]),
  );
}
