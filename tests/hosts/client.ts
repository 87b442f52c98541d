import type { HostName } from '../../src/hosts/registry.ts';
import type { Files } from '../helpers/project.ts';
import type { ToolCall } from './model-reply.ts';

/** A host's client program: how it is had, driven without a login, and what it says of hooks. */
export interface Client {
  readonly host: HostName;
  /** Its name for people. */
  readonly title: string;
  /** The npm package; its `.bin` has the program of the name `program`. */
  readonly package: string;
  readonly version: string;
  readonly program: string;
  /** The version of Node that it is run by where the tests run on an older one. */
  readonly node?: string;
  /** What makes it take the scripted server for its vendor's, added to a scrubbed environment. */
  environment(place: Place): Readonly<Record<string, string>>;
  /** Files in its home: the model's provider, trust in the project. */
  homeFiles?(place: Place): Files;
  /** The command line for one prompt without a terminal. */
  arguments(place: Place): readonly string[];
  /** How the model calls the shell. */
  shellCall(command: string): ToolCall;
  /** Absent where no hook hears of a subagent that wants to stop. */
  readonly subagent?: Subagent;
  /** All that it held against a hook. */
  complaints(ended: EndedClient): readonly string[];
}

/** The subagent of type `check`. */
export interface Subagent {
  /** Files of the project that define it. */
  readonly files: Files;
  /** How the model starts one. */
  start(prompt: string): ToolCall;
  /** How the model waits for it, where starting one does not. */
  wait?(started: string): ToolCall;
}

/** Where a client runs: a throw-away home, a project, and a model server. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly serverUrl: string;
}

export interface EndedClient {
  readonly home: string;
  readonly stdout: string;
  readonly stderr: string;
}
