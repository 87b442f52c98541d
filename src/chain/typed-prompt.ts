import type { Chain } from '../state/chain.ts';
import type { GateAction } from '../state/prompt-step.ts';

/** What beginning a chain reaches the world by. */
export interface BeginEffects {
  readonly now: Date;
  readonly env: NodeJS.ProcessEnv;
}

/** What comes of a prompt that was typed. */
export type TypedPrompt =
  /** It has no gates: an ordinary prompt. */
  | { readonly kind: 'plain' }
  /** Nothing was begun, and the person reads why. */
  | { readonly kind: 'refused'; readonly why: string }
  /** @param context what the agent is to know of it */
  | { readonly kind: 'begun'; readonly chain: Chain; readonly context: string }
  | { readonly kind: 'acted'; readonly chain: Chain; readonly context: string; readonly action: GateAction };
