import { cancel, confirm, intro, isCancel, multiselect, note, text } from '@clack/prompts';
import type { KnownHost } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { ProposedGate } from '../../setup/candidates.ts';
import type { SetupTarget } from '../../setup/detect.ts';
import { chooseGates } from '../../setup/propose-gates.ts';

/** What is proposed to a person, or taken as it is. */
export interface Proposal {
  readonly hosts: readonly KnownHost[];
  /** What the hosts were seen by. */
  readonly whyHosts: string;
  /** Undefined: the config has gates, which stay. */
  readonly gates: readonly ProposedGate[] | undefined;
  /** What was seen in the project, and is no gate. */
  readonly notes: readonly string[];
}

/**
 * Asks a person what `init` is to do; what is proposed is chosen already.
 *
 * @param asked what to ask for: not for what the command line names
 * @returns undefined where the person called it off
 */
export async function askForSetup(
  { root, why }: SetupTarget,
  proposal: Proposal,
  asked: { readonly hosts: boolean; readonly gates: boolean },
): Promise<Proposal | undefined> {
  intro(why === undefined ? 'ralph-loop' : `ralph-loop, in ${root}, ${why}`);
  const hosts = asked.hosts ? await askForHosts(proposal) : proposal.hosts;
  const gates = hosts && (asked.gates ? await askForGates(proposal.gates ?? []) : (proposal.gates ?? 'kept'));
  if (hosts === undefined || gates === undefined) {
    cancel('Nothing was written.');
    return undefined;
  }
  return { ...proposal, hosts, gates: gates === 'kept' ? undefined : gates };
}

/** Shows what would be done, and asks whether it shall be. */
export async function askToWrite(lines: readonly string[]): Promise<boolean> {
  note(lines.join('\n'));
  const isSure = (await confirm({ message: 'Write it?' })) === true;
  if (!isSure) cancel('Nothing was written.');
  return isSure;
}

async function askForHosts({ hosts, whyHosts }: Proposal): Promise<readonly KnownHost[] | undefined> {
  const chosen = await multiselect({
    message: `Which agents are used here? (chosen: ${whyHosts})`,
    options: HOSTS.map((host) => ({ value: host, label: host.title })).toSorted((a, b) =>
      a.label.localeCompare(b.label),
    ),
    initialValues: [...hosts],
  });
  return isCancel(chosen) ? undefined : chosen;
}

async function askForGates(proposed: readonly ProposedGate[]): Promise<readonly ProposedGate[] | undefined> {
  const chosen =
    proposed.length === 0
      ? []
      : await multiselect({
          message: 'What must hold before an agent may stop? Cheap ones run first.',
          options: proposed.map((gate) => ({ value: gate, label: gate.run, hint: gate.why })),
          initialValues: [...proposed],
          required: false,
        });
  if (isCancel(chosen)) return undefined;
  const typed = await text({
    message: chosen.length > 0 ? 'One more command? (empty: none)' : 'Which command must pass?',
    validate: (value) =>
      chosen.length === 0 && !value?.trim() ? 'Without a gate nothing is guarded.' : undefined,
  });
  if (isCancel(typed)) return undefined;
  return [...chosen, ...(typed?.trim() ? chooseGates([typed.trim()], []) : [])];
}
