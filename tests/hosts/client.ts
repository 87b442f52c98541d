import type { HostName } from '../../src/hosts/registry.ts';
import type { Files } from '../helpers/project.ts';
import type { ToolCall } from './model-reply.ts';

/** The client program of a host: how it is installed and run without a login, and its complaints about hooks. */
export interface Client {
  readonly host: HostName;
  /** The name in messages. */
  readonly title: string;
  /** The npm package with the program `program`. */
  readonly package: string;
  readonly version: string;
  /** The name of the packages with the program for each platform, without the platform; that of the package if absent. */
  readonly nativePackage?: string;
  readonly program: string;
  /** The Node version that runs it if the tests run on an older one. */
  readonly node?: string;
  /** The variables that make it use the scripted server as its model. */
  environment(place: Place): Readonly<Record<string, string>>;
  /** Files in its home: the model provider, the trust in the project. */
  homeFiles?(place: Place): Files;
  /** The command line for one prompt without a terminal. */
  arguments(place: Place): readonly string[];
  /** Whether it calls the hook for one stop a turn. */
  readonly asksOnceATurn?: true;
  /** Whether it prints what a hook says to the person, without a terminal too. */
  readonly printsMessages?: true;
  /** How the model calls the shell. */
  shellCall(command: string): ToolCall;
  /** How the model replaces a line of a file: its calls, one after another. */
  editCalls(edit: LineEdit): readonly ToolCall[];
  /** Undefined if no hook is called for the stop of a subagent. */
  readonly subagent?: Subagent;
  /** Returns its complaints about a hook. */
  complaints(ended: EndedClient): readonly string[];
}

export interface LineEdit {
  /** Relative to the project. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** The subagent of type `check`. */
export interface Subagent {
  /** Files of the project that define it. */
  readonly files: Files;
  /** How the model starts one. */
  start(prompt: string): ToolCall;
  /** How the model waits for it, if starting it does not wait. */
  wait?(started: string): ToolCall;
}

/** Where a client runs: a temporary home, a project and a model server. */
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
