import type { PromiseLoop } from '../loop/promise-loop.ts';
import { changePromiseLoop } from '../loop/promise-loop-file.ts';

/** A loop as the process that drives it knows it; others may cancel it meanwhile, and no more. */
export class OwnLoop {
  readonly #root: string;
  #present: PromiseLoop;

  /** @param loop as it is saved */
  constructor(root: string, loop: PromiseLoop) {
    this.#root = root;
    this.#present = loop;
  }

  get present(): PromiseLoop {
    return this.#present;
  }

  /**
   * Changes it, and saves it before anything else is done. A file that is gone, as after `git clean -fdx`, is written
   * again.
   *
   * @throws where it cannot be written
   */
  async change(change: (loop: PromiseLoop) => PromiseLoop): Promise<PromiseLoop> {
    const { id, task_id } = this.#present;
    this.#present = await changePromiseLoop(this.#root, task_id, (saved) =>
      change(saved?.id === id ? saved : this.#present),
    );
    return this.#present;
  }

  /** The same, unless somebody has cancelled it: then it stays as it is. */
  changeUnlessCancelled(change: (loop: PromiseLoop) => PromiseLoop): Promise<PromiseLoop> {
    return this.change((loop) => (loop.status === 'cancelled' ? loop : change(loop)));
  }
}
