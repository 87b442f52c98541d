import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readCurrentTask } from '../../config/discover.ts';
import { readProject } from '../../config/load.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { detectHosts, findSetupTarget, hostsNamed, type SetupTarget } from '../../setup/detect.ts';
import type { FileChange, Plan } from '../../setup/plan.ts';
import { planRemoval, planSetup } from '../../setup/plan-setup.ts';
import { findProgram, isOnPath, type Program } from '../../setup/program.ts';
import { readDirectory } from '../../setup/project-facts.ts';
import { chooseGates, proposeGates } from '../../setup/propose-gates.ts';
import {
  createParentDirectories,
  PRIVATE_MODE,
  RECORD_PATH,
  readRecord,
  recordChanges,
  removeEmptyDirectories,
  writeChanges,
  writeProblems,
} from '../../setup/write-changes.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { EXIT, fail, print } from '../terminal.ts';
import type { SetupProposal } from './init-prompts.ts';

interface InitOptions {
  /** Accept the proposal without asking. */
  readonly yes?: boolean;
  /** Names of hosts; undefined: those that the project seems to be used with. */
  readonly host?: readonly string[] | undefined;
  /** Names of proposed gates, or commands; undefined: all that are proposed. */
  readonly gates?: readonly string[] | undefined;
  /** Register ralph-loop as an MCP server too. */
  readonly mcp?: boolean;
  /** Print the changes as a diff, and write nothing. */
  readonly print?: boolean;
  readonly uninstall?: boolean;
}

const NOTHING_WRITTEN = 'Nothing was written.';

/**
 * `ralph-loop init`: writes the gates and the hooks of this project, or removes them again.
 *
 * @returns the exit code: 0 done, 1 not possible, 2 usage, 130 cancelled by the user
 */
export async function init(options: InitOptions): Promise<number> {
  const found = findSetupTarget(process.cwd());
  if (!found.ok) return failUnwritten([found.failure.message]);
  const target = found.value;
  const named = options.host === undefined ? undefined : hostsNamed(options.host);
  if (named && !named.ok) return failUnwritten([named.failure.message], EXIT.usage);
  if (options.uninstall) return uninstall(target, options);
  if (options.gates?.some((words) => words.trim() === ''))
    return failUnwritten(
      ['Empty value for --gates, expected names of proposed gates or commands.'],
      EXIT.usage,
    );
  const proposal = await propose(target, named?.value, options.gates);
  const isAsking = !options.yes && !options.print;
  if (isAsking && !(process.stdin.isTTY && process.stdout.isTTY))
    return failUnwritten(
      ['Cannot ask without a terminal. Use --yes to accept the proposed setup, or --print to show it.'],
      EXIT.usage,
    );
  const prompts = isAsking ? await import('./init-prompts.ts') : undefined;
  const asked = {
    hosts: named === undefined,
    gates: options.gates === undefined && proposal.gates !== undefined,
  };
  const chosen = prompts ? await prompts.askForSetup(target, proposal, asked) : proposal;
  if (chosen === undefined) return EXIT.interrupted;
  if (chosen.gates?.length === 0)
    return failUnwritten([
      'No gates found in this project. Name them, for example: ralph-loop init --gates "npm test"',
      ...proposal.notes,
    ]);
  const program = findProgram(target.root, process.cwd(), process.argv[1] ?? '', process.env.PATH ?? '');
  const plan = await planSetup(target, { ...chosen, program, mcp: options.mcp ?? false });
  if (plan.problems.length > 0) return failUnwritten(plan.problems);
  if (options.print) {
    print([...(await diffLines(plan.changes)), ...planLines(target, plan), NOTHING_WRITTEN]);
    return EXIT.ok;
  }
  const isConfirmed =
    !prompts || plan.changes.length === 0 || (await prompts.askToWrite(planLines(target, plan)));
  if (!isConfirmed) return EXIT.interrupted;
  const problems = writeSetup(target.root, plan.changes);
  if (problems.length > 0) return failUnwritten(problems);
  print([...planLines(target, plan), ...proposal.notes, ...nextSteps(chosen.hosts, program)]);
  return EXIT.ok;
}

async function propose(
  target: SetupTarget,
  named: readonly KnownHost[] | undefined,
  typed: readonly string[] | undefined,
): Promise<SetupProposal> {
  const detected = detectHosts((path) => existsSync(join(target.root, path)), isOnPath);
  const { hosts, why } = named ? { hosts: named, why: 'named' } : detected;
  const isKept = typed === undefined && (await hasGates(target));
  const proposed = isKept ? undefined : proposeGates(readDirectory(target.root));
  const gates = proposed && (typed ? chooseGates(typed, proposed.gates) : proposed.gates);
  return { hosts, hostsSource: why, gates, notes: typed ? [] : (proposed?.notes ?? []) };
}

/** Whether the config has gates; the markers of a Trellis task count, and a broken config is not overwritten. */
async function hasGates({ root, project }: SetupTarget): Promise<boolean> {
  if (!project) return false;
  const { gates, problems } = await readProject(project, readCurrentTask(root));
  return project.layout === 'trellis' || gates.length > 0 || problems.length > 0;
}

async function uninstall(target: SetupTarget, { print: isPrinting }: InitOptions): Promise<number> {
  const { root } = target;
  const plan = planRemoval(root, readRecord(root));
  if (plan.problems.length > 0) return failUnwritten(plan.problems);
  const state = ralphDirectory(root);
  const stateLines = existsSync(state)
    ? [`  removed  ${relative(root, state)} (loops, outputs and the log)`]
    : [];
  const lines = planLines(target, plan, stateLines);
  if (isPrinting) {
    print([...(await diffLines(plan.changes)), ...lines, NOTHING_WRITTEN]);
    return EXIT.ok;
  }
  const problems = removeSetup(root, plan.changes);
  if (problems.length > 0) return failUnwritten(problems);
  print(lines);
  return EXIT.ok;
}

/**
 * Writes the changes, and before them the record from which `--uninstall` restores the files.
 *
 * @returns the problems for which nothing was written
 */
function writeSetup(root: string, changes: readonly FileChange[]): string[] {
  if (changes.length === 0) return [];
  // The record may contain parts of settings files that only their owner may read.
  const recordFile = { path: RECORD_PATH, before: undefined, after: '', mode: PRIVATE_MODE };
  const problems = writeProblems(root, [recordFile, ...changes]);
  if (problems.length > 0) return problems;
  const written = changes.filter(({ after }) => after !== undefined);
  const directories = createParentDirectories(
    root,
    [recordFile, ...written].map(({ path }) => path),
  );
  const record = recordChanges(readRecord(root), changes, directories);
  const after = `${JSON.stringify(record, null, 2)}\n`;
  writeChanges(root, [{ ...recordFile, after }, ...changes]);
  return [];
}

/**
 * Removes what was set up, the record, the state of ralph-loop, and the directories that are empty then.
 *
 * @returns the problems for which nothing was removed
 */
function removeSetup(root: string, changes: readonly FileChange[]): string[] {
  const record = readRecord(root);
  const problems = writeProblems(root, changes);
  if (problems.length > 0) return problems;
  writeChanges(root, [...changes, { path: RECORD_PATH, before: undefined, after: undefined }]);
  rmSync(ralphDirectory(root), { recursive: true, force: true });
  removeEmptyDirectories(root, record?.directories ?? []);
  return [];
}

/** The changes as git would show them. */
async function diffLines(changes: readonly FileChange[]): Promise<string[]> {
  const { createTwoFilesPatch } = await import('diff');
  return changes.map(({ path, before, after }) => {
    const from = before === undefined ? '/dev/null' : `a/${path}`;
    const to = after === undefined ? '/dev/null' : `b/${path}`;
    return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 })
      .replace(/^=+\n/, '')
      .replace(/\n$/, '');
  });
}

/** One line for each file, then the remarks. */
function planLines(
  target: SetupTarget,
  { changes, remarks }: Plan,
  moreFiles: readonly string[] = [],
): string[] {
  const where = target.why === undefined ? [] : [`In ${target.root}, ${target.why}:`];
  const files = [...changes.map((change) => `  ${verbOf(change).padEnd(7)}  ${change.path}`), ...moreFiles];
  return [...where, ...(files.length > 0 ? files : ['Nothing to change.']), ...remarks];
}

function verbOf({ before, after }: FileChange): string {
  if (before === undefined) return 'created';
  return after === undefined ? 'removed' : 'changed';
}

function nextSteps(hosts: readonly KnownHost[], program: Program): string[] {
  const command = program.kind === 'on-path' ? 'ralph-loop' : 'npx ralph-loop';
  return [
    ...programRemarks(program),
    ...hosts.flatMap(({ trust }) => trust?.instructions ?? []),
    `Next: run the gates with "${command} verify", and test the hooks with "${command} doctor --fire".`,
  ];
}

function programRemarks(program: Program): string[] {
  if (program.kind === 'in-project')
    return program.isThere
      ? []
      : [`${program.path} is not installed yet: install the dependencies of this project.`];
  if (program.kind === 'on-path')
    return ['The hooks call ralph-loop from PATH: everyone who works on this project needs it there.'];
  const fromHere = relative(process.cwd(), program.path);
  const path = fromHere.startsWith('..') ? program.path : fromHere;
  return [
    `The hooks call ${path}${program.isTemporary ? ', in a cache that npm may clear' : ''}, which exists on this machine only. To share them, add ralph-loop to the dependencies of the project and run init again.`,
  ];
}

function failUnwritten(problems: readonly string[], exitCode?: number): number {
  return fail([...problems, NOTHING_WRITTEN], exitCode);
}
