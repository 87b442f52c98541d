import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readCurrentTask } from '../../config/current-task.ts';
import { readProject } from '../../config/read-project.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { chooseGates } from '../../setup/choose-gates.ts';
import { detectHosts, hostsNamed } from '../../setup/detect-hosts.ts';
import { findProgram, isOnPath, type Program } from '../../setup/find-program.ts';
import { findPlace, type Place } from '../../setup/place.ts';
import { planRemoval } from '../../setup/plan-removal.ts';
import { planSetup } from '../../setup/plan-setup.ts';
import { proposeGates } from '../../setup/propose-gates.ts';
import { readDirectory } from '../../setup/read-directory.ts';
import { readRecord } from '../../setup/setup-record.ts';
import { ralphDirectory } from '../../state/paths.ts';
import type { Proposal } from './init-ask.ts';
import { diffLines, nextSteps, planLines } from './init-report.ts';
import { removeSetup, writeSetup } from './init-write.ts';

export interface InitOptions {
  /** Take what is proposed, without a question. */
  readonly yes: boolean;
  /** Names of hosts, with commas between; undefined: those that the project seems to be used with. */
  readonly host?: string | undefined;
  /** Names of proposed gates, or commands; undefined: all that are proposed. */
  readonly gates?: readonly string[] | undefined;
  /** Let the hosts start ralph-loop as an MCP server too. */
  readonly mcp: boolean;
  /** Show the changes as a diff, and write nothing. */
  readonly print: boolean;
  /** Take back what was set up. */
  readonly uninstall: boolean;
}

const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * `ralph-loop init`: sets the project up for the agents that its people use, or takes that back.
 *
 * @returns the exit code: 0 done, 1 something stands in the way, 2 usage, 130 called off
 */
export async function init(options: InitOptions): Promise<number> {
  const place = findPlace(process.cwd());
  if ('refused' in place) return refuse([place.refused], EXIT.failed);
  const named = options.host === undefined ? undefined : hostsNamed(options.host.split(','));
  if (named && 'problem' in named) return refuse([named.problem], EXIT.usage);
  if (options.uninstall) return uninstall(place, options);
  if (options.gates?.some((words) => words.trim() === ''))
    return refuse(['--gates expects names of proposed gates, or commands; one was empty.'], EXIT.usage);
  const proposal = await propose(place, named?.hosts, options.gates);
  const isAsking = !options.yes && !options.print;
  if (isAsking && !(process.stdin.isTTY && process.stdout.isTTY))
    return refuse(
      ['This is no terminal to ask in: --yes takes what is proposed, --print shows it and writes nothing.'],
      EXIT.usage,
    );
  const asking = isAsking ? await import('./init-ask.ts') : undefined;
  const asked = {
    hosts: named === undefined,
    gates: options.gates === undefined && proposal.gates !== undefined,
  };
  const chosen = asking ? await asking.askForSetup(place, proposal, asked) : proposal;
  if (chosen === undefined) return EXIT.interrupted;
  if (chosen.gates?.length === 0)
    return refuse(
      [
        'No gates were found here that could be proposed. Name them: ralph-loop init --gates "npm test"',
        ...proposal.notes,
      ],
      EXIT.failed,
    );
  const program = programFor(place);
  const plan = await planSetup(place, { ...chosen, program, mcp: options.mcp });
  if (plan.problems.length > 0) return refuse(plan.problems, EXIT.failed);
  if (options.print) {
    print([...(await diffLines(plan.changes)), ...planLines(place, plan), 'Nothing was written.']);
    return EXIT.done;
  }
  const isSure = !asking || plan.changes.length === 0 || (await asking.askToWrite(planLines(place, plan)));
  if (!isSure) return EXIT.interrupted;
  const problems = writeSetup(place.root, plan.changes);
  if (problems.length > 0) return refuse(problems, EXIT.failed);
  print([...planLines(place, plan), ...proposal.notes, ...nextSteps(chosen.hosts, program)]);
  return EXIT.done;
}

async function propose(
  place: Place,
  named: readonly KnownHost[] | undefined,
  wanted: readonly string[] | undefined,
): Promise<Proposal> {
  const detected = detectHosts((path) => existsSync(join(place.root, path)), isOnPath);
  const { hosts, why } = named ? { hosts: named, why: 'named' } : detected;
  const isKept = wanted === undefined && (await hasGates(place));
  const proposed = isKept ? undefined : proposeGates(readDirectory(place.root));
  const gates = proposed && (wanted ? chooseGates(wanted, proposed.gates) : proposed.gates);
  return { hosts, whyHosts: why, gates, notes: wanted ? [] : (proposed?.notes ?? []) };
}

/** Whether the config asks for something: a Trellis task's markers are gates too. A broken one is not overwritten. */
async function hasGates({ root, project }: Place): Promise<boolean> {
  if (!project) return false;
  const { gates, problems } = await readProject(project, readCurrentTask(root));
  return project.layout === 'trellis' || gates.length > 0 || problems.length > 0;
}

async function uninstall(place: Place, { print: isPrinting }: InitOptions): Promise<number> {
  const { root } = place;
  const plan = planRemoval(root, readRecord(root));
  if (plan.problems.length > 0) return refuse(plan.problems, EXIT.failed);
  const state = ralphDirectory(root);
  const lines = [
    ...planLines(place, plan, 'nothing of what init writes is here'),
    ...(existsSync(state) ? [`${relative(root, state)} goes too: loops, outputs and the log.`] : []),
  ];
  if (isPrinting) {
    print([...(await diffLines(plan.changes)), ...lines, 'Nothing was written.']);
    return EXIT.done;
  }
  const problems = removeSetup(root, plan.changes);
  if (problems.length > 0) return refuse(problems, EXIT.failed);
  print(lines);
  return EXIT.done;
}

function programFor({ root }: Place): Program {
  return findProgram(root, process.cwd(), process.argv[1] ?? '', process.env.PATH ?? '');
}

function refuse(problems: readonly string[], exitCode: number): number {
  process.stderr.write(`${problems.join('\n')}\nNothing was written.\n`);
  return exitCode;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
