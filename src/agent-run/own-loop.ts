import { existsSync } from 'node:fs';
import type { AgentRun } from '../state/agent-run.ts';
import { agentRunPath, updateAgentRun } from '../state/agent-run-file.ts';

/**
 * A loop as the process that drives it knows it. Others may cancel it meanwhile, and no more: an agent that writes into
 * the loop's file wins no iterations, nor does it pass by that.
 */
export class OwnLoop {
  readonly #root: string;
  #present: AgentRun;
  /** Changes are made one after another, even where nobody waits for them. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param loop as it is saved */
  constructor(root: string, loop: AgentRun) {
    this.#root = root;
    this.#present = loop;
  }

  get present(): AgentRun {
    return this.#present;
  }

  /**
   * Changes it, and saves it before anything else is done. A file that is gone, as after `git clean -fdx`, is written
   * again.
   *
   * @throws where it cannot be written
   */
  change(change: (loop: AgentRun) => AgentRun): Promise<AgentRun> {
    const saved = this.#last.then(() => this.#save(change));
    this.#last = saved.catch(() => {});
    return saved;
  }

  async #save(change: (loop: AgentRun) => AgentRun): Promise<AgentRun> {
    const { id, task_id } = this.#present;
    this.#present = await updateAgentRun(this.#root, task_id, (saved) => {
      // The agent can write the file too: of what stands there, that a person has cancelled the loop is all that counts.
      const isCancelled = saved?.id === id && saved.status === 'cancelled';
      return change(isCancelled ? { ...this.#present, status: 'cancelled' } : this.#present);
    }).catch((error: Error) => {
      const next = `When it can be, go on with: ralph-loop run --resume ${task_id}`;
      throw new Error(`the state of ${task_id} cannot be written: ${error.message}. ${next}`, {
        cause: error,
      });
    });
    return this.#present;
  }

  /** The same, unless somebody has cancelled it: then it stays as it is. */
  changeUnlessCancelled(change: (loop: AgentRun) => AgentRun): Promise<AgentRun> {
    return this.change((loop) => (loop.status === 'cancelled' ? loop : change(loop)));
  }

  /** @throws where it cannot be written */
  async writeIfGone(): Promise<void> {
    if (!existsSync(agentRunPath(this.#root, this.#present.task_id))) await this.change((loop) => loop);
  }
}
