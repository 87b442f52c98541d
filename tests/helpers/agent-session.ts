import { submitPrompt, type TypedPrompt } from '../../src/chain/start-chain.ts';
import type { ProjectFiles } from '../../src/config/discover.ts';
import type { ProjectConfig } from '../../src/config/load.ts';
import { handleChain } from '../../src/hook/handle-chain.ts';
import type { StopResult } from '../../src/hook/types.ts';
import type { Answer } from '../../src/hosts/types.ts';
import { chainRoots } from '../../src/state/chain-location.ts';
import type { StopContext } from '../../src/verification/types.ts';
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
  /** Of the project's config; without it, the project has no config. */
  readonly secretsPassed?: readonly string[];
}

/** @param root absolute directory of the project */
export function agentSession(root: string, options: SessionOptions = {}): AgentSession {
  const { session = 'session-1', secretsPassed, ...context } = options;
  const effects = stopContext(context);
  const submit = (prompt: string) =>
    submitPrompt(prompt, root, session, { now: effects.now(), env: effects.env });
  const stopResult = async (message = 'Done.') => {
    const config = { settings: { passEnv: secretsPassed } } as unknown as ProjectConfig;
    const project = { root, layout: 'stand-alone' } as ProjectFiles;
    const triage = secretsPassed
      ? ({
          guarded: true,
          project,
          task: undefined,
          config,
          findings: [],
          isKnown: false,
          messages: [],
        } as const)
      : ({ guarded: false, why: 'no config', root } as const);
    const stop = { triage, root, chainRoots: chainRoots(root) };
    return handleChain(stopEvent({ agent: 'main', sessionId: session, message }), stop, effects);
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
