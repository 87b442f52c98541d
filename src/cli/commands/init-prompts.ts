import { cancel, confirm, intro, isCancel, multiselect, note, text } from '@clack/prompts';
import type { KnownHost } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { ProposedGate } from '../../setup/candidates.ts';
import type { SetupTarget } from '../../setup/detect.ts';
import { chooseGates, inOrderOfCost } from '../../setup/propose-gates.ts';
import { forStdout } from '../terminal.ts';

/** A setup that the user may change. */
export interface SetupProposal {
  readonly hosts: readonly KnownHost[];
  /** How the hosts were chosen. */
  readonly hostsSource: string;
  /** Undefined: the config already has gates, which are kept. */
  readonly gates: readonly ProposedGate[] | undefined;
  /** What was found in the project and is not a gate. */
  readonly notes: readonly string[];
  /** The project also has another way to verify: the markers of Trellis's task. */
  readonly mayHaveNone: boolean;
  /** Whether a single word is a command. */
  readonly canRun: (word: string) => boolean;
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
  intro(forStdout(why === undefined ? 'ralph-loop' : `ralph-loop, in ${root}, ${why}`));
  const hosts = asked.hosts ? await askForHosts(proposal) : proposal.hosts;
  if (proposal.notes.length > 0) note(forStdout(proposal.notes.join('\n')));
  const gates = hosts && (asked.gates ? await askForGates(proposal) : (proposal.gates ?? 'kept'));
  if (hosts === undefined || gates === undefined) {
    cancel('Nothing was written.');
    return undefined;
  }
  const isKept = gates === 'kept' || (gates.length === 0 && proposal.mayHaveNone);
  return { ...proposal, hosts, gates: isKept ? undefined : gates };
}

/** Shows the changes, and asks whether to write them. */
export async function askToWrite(lines: readonly string[], message: string): Promise<boolean> {
  note(forStdout(lines.join('\n')));
  const isConfirmed = (await confirm({ message })) === true;
  if (!isConfirmed) cancel('Nothing was written.');
  return isConfirmed;
}

/** Offers to run the gates, and to record the failures that exist. */
export async function offerBaseline(): Promise<void> {
  if ((await confirm({ message: 'Run the gates now?' })) !== true) return;
  const { baseline } = await import('./baseline.ts');
  const message = 'Record these failures, so that agents are only blocked by new ones?';
  await baseline({ confirm: (lines) => askToWrite(lines, message) });
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

async function askForGates({
  gates: proposed = [],
  mayHaveNone,
  canRun,
}: SetupProposal): Promise<readonly ProposedGate[] | undefined> {
  const otherwise = mayHaveNone ? ' Without any, the markers of the task decide.' : '';
  const chosen =
    proposed.length === 0
      ? []
      : await multiselect({
          message: `Which commands must pass before an agent may stop? Cheap ones run first.${otherwise}`,
          options: proposed.map((gate) => ({
            value: gate,
            label: forStdout(commandOf(gate)),
            hint: forStdout(gate.why),
          })),
          initialValues: [...proposed],
          required: false,
        });
  if (isCancel(chosen)) return undefined;
  const needsOne = chosen.length === 0 && !mayHaveNone;
  const typed = await text({
    message: needsOne ? 'Which command must pass?' : 'Another command? (leave empty for none)',
    validate(value = '') {
      if (value.trim() === '') return needsOne ? 'Enter at least one command.' : undefined;
      const gate = chooseGates([value], [], canRun);
      return gate.ok ? undefined : gate.failure.message;
    },
  });
  if (isCancel(typed)) return undefined;
  const more = typed?.trim() ? chooseGates([typed], [], canRun) : undefined;
  return inOrderOfCost([...chosen, ...(more?.ok ? more.value : [])]);
}

function commandOf({ run, cwd }: ProposedGate): string {
  return cwd === undefined ? run : `${run} (in ${cwd})`;
}
