import type { Failure } from './failure.ts';
import { FailureFinder } from './failure-finder.ts';

export type Stream = 'stdout' | 'stderr';

/** The lines of a stream that one prefix marks. */
export interface Channel {
  readonly task: string;
  readonly finder: FailureFinder;
}

/** Tasks whose lines are told apart by their prefix. */
const MAX_CHANNELS = 64;

/** What looks for failures in the lines of each task of an output, apart from those of the others. */
export class TaskChannels {
  readonly #channels = new Map<string, Channel>();
  readonly #onFailure: (failure: Failure, task: string) => void;

  constructor(onFailure: (failure: Failure, task: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Beyond so many tasks, the first one's. */
  finderOf(stream: Stream, task: string): FailureFinder {
    const name = `${stream} ${task}`;
    const known = this.#channels.get(name);
    if (known) return known.finder;
    if (this.#channels.size >= MAX_CHANNELS) return (this.#channels.values().next().value as Channel).finder;
    const finder = new FailureFinder((failure) => this.#onFailure(failure, task));
    this.#channels.set(name, { task, finder });
    return finder;
  }

  end(): void {
    for (const { finder } of this.#channels.values()) finder.end();
  }

  /** Ends those whose lines have a prefix, as a logger writes it. */
  endLogged(): void {
    for (const { task, finder } of this.#channels.values()) if (task !== '') finder.end();
  }
}
