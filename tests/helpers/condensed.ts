import { Condenser, type Findings, type GateFindings } from '../../src/diagnostics/output/condenser.ts';
import type { GateResult } from '../../src/gates/types.ts';
import type { OutputStream } from '../../src/process/output.ts';

/** A chunk of one stream. */
export type Piece = readonly [stream: OutputStream, text: string | Buffer];

/** Returns the condensed output of a text on stdout, or of chunks in order of arrival. */
export function condensed(output: string | Buffer | readonly Piece[]): Findings {
  const pieces: readonly Piece[] =
    typeof output === 'string' || Buffer.isBuffer(output) ? [['stdout', output]] : output;
  const condenser = new Condenser();
  for (const [stream, text] of pieces) condenser.write(stream, Buffer.from(text));
  return condenser.findings();
}

/** Returns the condensed output of each gate that printed something. */
export function findingsOf(results: readonly GateResult[]): GateFindings {
  const printing = results.filter(({ output }) => output.head.some(({ text }) => text !== ''));
  return new Map(
    printing.map(({ gate, output }) => [
      gate,
      condensed([...output.head, ...output.tail].map(({ stream, text }) => [stream, text])),
    ]),
  );
}
