import type { Gate } from '../gates/types.ts';
import type { KnownHost } from '../hosts/host.ts';
import { ignoreState } from './edit-ignore-file.ts';
import { readPresentFile } from './file-change.ts';
import type { Program } from './find-program.ts';
import type { Place } from './place.ts';
import { joined, type Plan, planOnTop } from './plan.ts';
import { planConfig } from './plan-config.ts';
import { planHooks } from './plan-hooks.ts';
import { planMcp } from './plan-mcp.ts';
import type { ProposedGate } from './proposed-gate.ts';

/** What a person wants a project to be. */
export interface WantedSetup {
  readonly hosts: readonly KnownHost[];
  /** Undefined: those that the config has. */
  readonly gates: readonly ProposedGate[] | undefined;
  readonly program: Program;
  /** Whether the hosts are to start it as an MCP server too. */
  readonly mcp: boolean;
}

/** From SIGTERM to SIGKILL, where a gate has to be ended. */
const GRACE_SECONDS = 2;

/** Plans all that `init` writes: the config, the hooks, what git shall ignore. */
export async function planSetup(place: Place, { hosts, gates, program, mcp }: WantedSetup): Promise<Plan> {
  const read = (path: string) => readPresentFile(place.root, path);
  const config = await planConfig(place, gates, program);
  const needs = { program, agents: config.settings.agents, gateSeconds: gateSecondsOf(config.gates) };
  const hooks = planHooks(hosts, needs, read);
  return joined([
    config,
    mcp ? planOnTop(hooks, read, (changed) => planMcp(hosts, program, changed)) : hooks,
    ...(place.isInRepository ? [planIgnoreFile(read('.gitignore'))] : []),
  ]);
}

/** Seconds that gates take at most, all in turn; infinite where one has no limit of its own. */
export function gateSecondsOf(gates: readonly Gate[]): number {
  return gates.reduce(
    (sum, gate) => sum + (gate.kind === 'command' ? gate.timeoutSeconds + GRACE_SECONDS : 0),
    0,
  );
}

function planIgnoreFile(file: ReturnType<typeof readPresentFile>): Plan {
  if ('why' in file) return { changes: [], remarks: [], problems: [file.why] };
  const { text: before } = file;
  const after = ignoreState(before);
  const path = '.gitignore';
  return { changes: before === after ? [] : [{ path, before, after }], remarks: [], problems: [] };
}
