import type { TranscriptEvent } from './events.ts';

/** What the agent did from a prompt until the next one, or until the end of the transcript. */
export interface Turn {
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  readonly startedAt: number;
  /** The time of its last event. */
  readonly endedAt: number;
  /** When the next turn began; infinite for the last one. */
  readonly nextAt: number;
  readonly edits: readonly Edit[];
  readonly commands: readonly Command[];
  /** What the agent said after its last call of a tool; undefined if it said nothing. */
  readonly lastMessage: string | undefined;
  readonly isInterrupted: boolean;
}

/** A change of a file that was made. */
export interface Edit {
  /** The place among the calls of the turn. */
  readonly order: number;
  readonly at: number;
  readonly path: string | undefined;
}

/** A call of the shell. */
export interface Command {
  readonly order: number;
  readonly command: string;
  /** Null where the transcript has none, as for a command that runs in the background. */
  readonly exit: number | null;
}

/** A longer command is a script that the agent writes; what it runs is at its beginning or not known. */
const MAX_COMMAND = 4096;
/** What an agent says last is short. */
const MAX_MESSAGE = 20_000;

/**
 * The turns of one transcript. An event before the first prompt belongs to a turn too: a transcript may begin in the
 * middle.
 */
export function* turnsOf(events: Iterable<TranscriptEvent>): Generator<Turn> {
  let [session, cwd]: (string | undefined)[] = [];
  let turn: OpenTurn | undefined;
  for (const event of events) {
    if (event.kind === 'session') {
      session = event.id ?? session;
      // An agent that changes its directory still works in the project in which the session began.
      cwd ??= event.cwd;
      continue;
    }
    if (event.kind === 'prompt') {
      if (turn) yield turn.end({ session, cwd, nextAt: event.at });
      turn = new OpenTurn(event.at);
    } else {
      turn ??= new OpenTurn(event.at);
      turn.add(event);
    }
  }
  if (turn) yield turn.end({ session, cwd, nextAt: Number.POSITIVE_INFINITY });
}

class OpenTurn {
  readonly #startedAt: number;
  #endedAt: number;
  #order = 0;
  readonly #edits: Edit[] = [];
  readonly #commands: Command[] = [];
  /** What ends a call. */
  readonly #pending = new Map<string, (exit: number | null) => void>();
  #lastMessage: string | undefined;
  #isInterrupted = false;

  constructor(at: number) {
    this.#startedAt = at;
    this.#endedAt = at;
  }

  add(event: Exclude<TranscriptEvent, { kind: 'session' | 'prompt' }>): void {
    this.#endedAt = event.at;
    this.#isInterrupted = event.kind === 'interrupted';
    if (event.kind === 'message') this.#lastMessage = event.text.slice(-MAX_MESSAGE);
    else if (event.kind === 'result') this.#pending.get(event.call)?.(event.exit);
    else if (event.kind !== 'interrupted') this.#call(event);
  }

  #call(event: TranscriptEvent & { kind: 'edit' | 'command' }): void {
    this.#lastMessage = undefined;
    const order = this.#order++;
    if (event.kind === 'edit') {
      const edit = { order, at: event.at, path: event.path };
      this.#pending.set(event.call, (exit) => {
        if (exit === 0) this.#edits.push(edit);
      });
      return;
    }
    const index = this.#commands.length;
    const command = event.command.slice(0, MAX_COMMAND);
    this.#commands.push({ order, command, exit: null });
    this.#pending.set(event.call, (exit) => {
      // The last result counts: a command that goes on in the background ends later.
      if (exit !== null) this.#commands[index] = { order, command, exit };
    });
  }

  end(place: Pick<Turn, 'session' | 'cwd' | 'nextAt'>): Turn {
    return {
      ...place,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      edits: this.#edits,
      commands: this.#commands,
      lastMessage: this.#lastMessage,
      isInterrupted: this.#isInterrupted,
    };
  }
}
