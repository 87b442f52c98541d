import { failure, type Result, success } from '../base/result.ts';
import { oneLine } from '../base/text.ts';
import { findAgentProject, readCurrentTask, rootAround } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { didYouMean } from '../config/validate.ts';
import { hostNamed, sessionIdIn } from '../hosts/registry.ts';
import { treeIdsIn } from '../process/process-group.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskText } from '../process/secrets/masker.ts';
import { readAgentRuns } from '../state/agent-run.ts';
import { currentStep } from '../state/chain.ts';
import { readChains } from '../state/chain-store.ts';
import { type PendingEscalation, recordEscalation } from '../state/escalations.ts';

export interface EscalationRequest {
  readonly gate?: string | undefined;
  readonly reason: string;
  /** Who escalates, as in `Caller`. */
  readonly by: string;
}

interface RecordedEscalation {
  readonly root: string;
  readonly escalation: PendingEscalation;
}

const EXAMPLE =
  'ralph-loop escalate --gate test "tests/api.test.ts expects port 80, which this machine refuses"';
const MAX_REASON_CHARACTERS = 1000;

/**
 * Records that a gate is wrong or cannot be satisfied, for the next stop.
 *
 * @param cwd absolute directory of the agent
 * @returns the failure if there is no reason, no such gate, or no place for it
 */
export async function escalate(
  cwd: string,
  { gate, reason, by }: EscalationRequest,
  { env, now }: { readonly env: NodeJS.ProcessEnv; readonly now: Date },
): Promise<Result<RecordedEscalation>> {
  const secrets = secretsIn(env);
  const shown = oneLine(maskText(reason, secrets), MAX_REASON_CHARACTERS);
  if (!/[\p{L}\p{N}]/u.test(shown))
    return failure(`The reason is missing: say what is wrong with the gate. Example:\n  ${EXAMPLE}`);
  if (env.RALPH_LOOP === '1') return failure('A gate cannot escalate: only its agent or a person can.');
  const { root, gates, isComplete } = await gatesAround(cwd, env);
  const names = gates.map((name) => maskText(name, secrets));
  if (gate !== undefined && isComplete && !names.includes(gate)) return failure(unknownGate(gate, names));
  const escalation = {
    ...(gate !== undefined && { gate }),
    reason: shown,
    session: sessionIdIn(env),
    run: runIn(root, env),
    by,
    at: now.toISOString(),
  };
  if (!(await recordEscalation(root, escalation)))
    return failure(
      'The escalation cannot be recorded: no state directory outside of the project can be written. Say it in your last message.',
    );
  return success({ root, escalation });
}

/** The names of the project's gates, and of those that are typed into a prompt. */
async function gatesAround(cwd: string, env: NodeJS.ProcessEnv) {
  const reported = (hostNamed('unknown').projectVariables ?? []).flatMap((name) => env[name] ?? []);
  const found = findAgentProject(cwd, reported);
  const root = found.ok ? found.value.root : (rootAround(cwd) ?? cwd);
  const config = found.ok ? await readProject(found.value, readCurrentTask(root)) : undefined;
  const typed = readChains(root).flatMap((chain) => {
    const { verify, criteria } = currentStep(chain);
    return [...verify.map(({ command }) => command), ...criteria.map(({ name }) => name)];
  });
  return {
    root,
    gates: [...(config?.gates.map(({ name }) => name) ?? []), ...typed],
    // A config with errors has fewer gates than it should.
    isComplete: (config?.problems.length ?? 0) === 0,
  };
}

function unknownGate(gate: string, names: readonly string[]): string {
  const known =
    names.length > 0 ? `; the gates are: ${names.map((name) => oneLine(name, 80)).join(', ')}` : '';
  return `There is no gate "${oneLine(gate, 80)}"${didYouMean(gate, names) || known || '; this project has none'}`;
}

/** The agent run whose agent, or a process of it, this is. */
function runIn(root: string, env: NodeJS.ProcessEnv): string | null {
  const ids = treeIdsIn(env);
  return readAgentRuns(root).find(({ id }) => ids.includes(id))?.id ?? null;
}
