import type { PromiseLoop } from '../state/promise-loop.ts';
import type { StopContext } from '../verification/context.ts';

/** What happens while a loop is driven, told as it happens. */
export type LoopEvent =
  | { readonly type: 'begun'; readonly loop: PromiseLoop; readonly logPath: string }
  | { readonly type: 'gate'; readonly name: string }
  | { readonly type: 'ended'; readonly loop: PromiseLoop }
  /** Something went wrong that does not end the loop. */
  | { readonly type: 'note'; readonly text: string };

export interface DriveEffects extends StopContext {
  readonly onEvent: (event: LoopEvent) => void;
}
