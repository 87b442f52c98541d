import { cancel, confirm, intro, isCancel, multiselect, note, text } from '@clack/prompts';
import type { KnownHost } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { ProposedGate } from '../../setup/candidates.ts';
import type { SetupTarget } from '../../setup/detect.ts';
import { chooseGates } from '../../setup/propose-gates.ts';

/** A setup that the user may change. */
export interface SetupProposal {
  readonly hosts: readonly KnownHost[];
  /** How the hosts were chosen. */
  readonly hostsSource: string;
  /** Undefined: the config already has gates, which are kept. */
  readonly gates: readonly ProposedGate[] | undefined;
  /** What was found in the project and is not a gate. */
  readonly notes: readonly string[];
}

/**
 * Asks the user which hosts and gates to set up; the proposed ones are selected.
 *
 * @param asked what to ask for: not what the command line already names
 * @returns undefined if the user cancelled
 */
export async function askForSetup(
  { root, why }: SetupTarget,
  proposal: SetupProposal,
  asked: { readonly hosts: boolean; readonly gates: boolean },
): Promise<SetupProposal | undefined> {
  intro(why === undefined ? 'ralph-loop' : `ralph-loop, in ${root}, ${why}`);
  const hosts = asked.hosts ? await askForHosts(proposal) : proposal.hosts;
  const gates = hosts && (asked.gates ? await askForGates(proposal.gates ?? []) : (proposal.gates ?? 'kept'));
  if (hosts === undefined || gates === undefined) {
    cancel('Nothing was written.');
    return undefined;
  }
  return { ...proposal, hosts, gates: gates === 'kept' ? undefined : gates };
}

/** Shows the changes, and asks whether to write them. */
export async function askToWrite(lines: readonly string[]): Promise<boolean> {
  note(lines.join('\n'));
  const isConfirmed = (await confirm({ message: 'Write these changes?' })) === true;
  if (!isConfirmed) cancel('Nothing was written.');
  return isConfirmed;
}

async function askForHosts({ hosts, hostsSource }: SetupProposal): Promise<readonly KnownHost[] | undefined> {
  const chosen = await multiselect({
    message: `Which agents do you use? (selected: ${hostsSource})`,
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
          message: 'Which commands must pass before an agent may stop? Fast ones run first.',
          options: proposed.map((gate) => ({ value: gate, label: gate.run, hint: gate.why })),
          initialValues: [...proposed],
          required: false,
        });
  if (isCancel(chosen)) return undefined;
  const typed = await text({
    message: chosen.length > 0 ? 'Another command? (leave empty for none)' : 'Which command must pass?',
    validate: (value) => (chosen.length === 0 && !value?.trim() ? 'Enter at least one command.' : undefined),
  });
  if (isCancel(typed)) return undefined;
  return [...chosen, ...(typed?.trim() ? chooseGates([typed.trim()], []) : [])];
}
