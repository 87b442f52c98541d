import { submitPrompt, type TypedPrompt } from '../../src/chain/start-chain.ts';
import { type ChainStop, handleChainStop } from '../../src/hook/handle-chain-stop.ts';
import type { StopResult } from '../../src/hook/handle-stop.ts';
import type { Answer } from '../../src/hosts/stop-event.ts';
import { chainRoots } from '../../src/state/chain-location.ts';
import type { StopContext } from '../../src/verification/context.ts';
import { stopContext } from './stop-context.ts';
import { stopEvent } from './stop-event.ts';

/** An agent's session in a project: its prompts and stops, without the process of the hook. */
export interface AgentSession {
  /** The outcome of a prompt that starts gates or decides about them. */
  submits(prompt: string): Promise<TypedPrompt>;
  /** Why a prompt is refused. */
  isRefused(prompt: string): Promise<string>;
  /** The answer to a stop, whose last message is given. */
  stops(message?: string): Promise<Partial<Extract<Answer, { decision: 'block' }>> | Answer>;
  /** The whole result of a stop; undefined if the session has no chain. */
  stopResult(message?: string): Promise<StopResult | undefined>;
}

export interface SessionOptions extends Partial<StopContext> {
  readonly session?: string;
  /** Where the agent stops; by default in the project's root. */
  readonly stopsIn?: string;
  readonly secretsPassed?: readonly string[];
}

/** @param root absolute directory of the project */
export function agentSession(root: string, options: SessionOptions = {}): AgentSession {
  const { session = 'session-1', stopsIn = root, secretsPassed = [], ...context } = options;
  const effects = stopContext(context);
  const submit = (prompt: string) =>
    submitPrompt(prompt, root, session, { now: effects.now(), env: effects.env });
  const stopResult = async (message = 'Done.') => {
    const stop: ChainStop = {
      triage: { guarded: false, why: 'no config', root: stopsIn },
      root: stopsIn,
      chainRoots: chainRoots(stopsIn),
      secretsPassed: async () => secretsPassed,
    };
    return handleChainStop(stopEvent({ agent: 'main', sessionId: session, message }), stop, effects);
  };
  return {
    submits: async (prompt) => {
      const typed = await submit(prompt);
      if (!typed?.ok) throw new Error(typed ? typed.failure.message : `no gates: ${prompt}`);
      return typed.value;
    },
    isRefused: async (prompt) => {
      const typed = await submit(prompt);
      if (!typed || typed.ok) throw new Error(`not refused: ${prompt}`);
      return typed.failure.message;
    },
    stops: async (message) => (await stopResult(message))?.answer ?? {},
    stopResult,
  };
}
