import type { Gate, GateEvent } from '../gates/types.ts';
import { Condenser, type Findings } from './condenser.ts';

/** What was found in the output of each gate that printed something. */
export type GateFindings = ReadonlyMap<Gate, Findings>;

/** One condenser for each gate that prints. */
export class GateCondensers {
  readonly #condensers = new Map<Gate, Condenser>();

  take(event: GateEvent): void {
    if (event.type !== 'output') return;
    let condenser = this.#condensers.get(event.gate);
    if (!condenser) {
      condenser = new Condenser();
      this.#condensers.set(event.gate, condenser);
    }
    condenser.write(event.stream, event.bytes);
  }

  findings(): GateFindings {
    return new Map([...this.#condensers].map(([gate, condenser]) => [gate, condenser.findings()]));
  }
}
