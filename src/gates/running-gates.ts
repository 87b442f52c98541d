import type { GateEvent } from './types.ts';

/** The gates that run, as the events of their run say. */
export class RunningGates {
  readonly #startedAt = new Map<string, number>();

  take(event: GateEvent): void {
    if (event.type === 'started') this.#startedAt.set(event.gate.name, Date.now());
    if (event.type === 'ended') this.#startedAt.delete(event.result.gate.name);
  }

  /** In the order in which they started. */
  get names(): string[] {
    return [...this.#startedAt.keys()];
  }

  /** When the one that has run longest started, in milliseconds since 1970; undefined if none runs. */
  get since(): number | undefined {
    return this.#startedAt.values().next().value;
  }
}
