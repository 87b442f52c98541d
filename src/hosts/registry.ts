import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { devin } from './devin.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import type { EventFields, Host, KnownHost } from './host.ts';
import { kilo } from './kilo.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { openhands } from './openhands.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

/**
 * A host is one file and one entry here. The first entry that recognizes an event gets it: hosts that are recognized by
 * event fields come before those that are recognized by the environment, which an agent inherits from an agent that
 * starts it. Kilo sets OpenCode's variable too.
 */
const REGISTRY = [
  cursor,
  codex,
  gemini,
  kimi,
  openhands,
  goose,
  claudeCode,
  copilot,
  qwen,
  droid,
  devin,
  kilo,
  opencode,
  pi,
] as const;

type KnownHostName = (typeof REGISTRY)[number]['name'];

/** `unknown` is any other host: it gets the answer that every host understands. */
export type HostName = KnownHostName | 'unknown';

export const HOSTS: readonly KnownHost<KnownHostName>[] = REGISTRY;

const UNKNOWN: Host<'unknown'> = {
  name: 'unknown',
  recognizes: () => true,
  answerExtras: [],
  timeout: { unit: 's', defaultSeconds: 600 },
  projectVariables: [
    ...new Set(REGISTRY.flatMap(({ projectVariables = [] }: KnownHost) => projectVariables)),
  ],
};

/** The host with this name; `unknown` if there is none. */
export function hostNamed(name: string): Host<HostName> {
  return HOSTS.find((host) => host.name === name) ?? UNKNOWN;
}

/**
 * The host that sent an event.
 *
 * @param name the host that the command line names; undefined detects it
 */
export function hostOf(fields: EventFields, env: NodeJS.ProcessEnv, name?: HostName): Host<HostName> {
  if (name !== undefined) return hostNamed(name);
  return HOSTS.find((host) => host.recognizes(fields, env)) ?? UNKNOWN;
}

/** The seconds after which a hook must answer, so that a host with its default timeout still reads the answer. */
export function defaultDeadlineSeconds(name: string): number {
  const { defaultSeconds } = hostNamed(name).timeout;
  return Math.min(defaultSeconds * 0.95, defaultSeconds - 3);
}

/** The session for which a host started this process as an MCP server; null if no host reports one. */
export function sessionIdIn(env: NodeJS.ProcessEnv): string | null {
  for (const { mcpSessionVariable } of HOSTS) {
    const id = mcpSessionVariable && env[mcpSessionVariable];
    if (id) return id;
  }
  return null;
}
