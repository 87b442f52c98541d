import { existsSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { realPathOf, reasonOf } from '../../base/files.ts';
import { type Result, success } from '../../base/result.ts';
import { readCurrentTask } from '../../config/discover.ts';
import { readProject } from '../../config/load.ts';
import type { Gate } from '../../gates/types.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { isOnPath, PACKAGE } from '../../process/own-command.ts';
import {
  detectHosts,
  findSetupTarget,
  hostsNamed,
  type SetupTarget,
  whereToStart,
} from '../../setup/detect.ts';
import { recordProgram } from '../../setup/launcher.ts';
import type { FileChange, Plan } from '../../setup/plan.ts';
import { listsGates } from '../../setup/plan-config.ts';
import { replacedHooks } from '../../setup/plan-hooks.ts';
import { planRemoval, planSetup } from '../../setup/plan-setup.ts';
import { findProgram, type Program } from '../../setup/program.ts';
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
  if (options.gates?.some((words) => words.replaceAll(/[\s,]/g, '') === ''))
    return failUnwritten(
      ['Empty value for --gates, expected names of proposed gates or commands.'],
      EXIT.usage,
    );
  const proposed = await propose(target, named?.value, options.gates);
  if (!proposed.ok) return failUnwritten([proposed.failure.message], EXIT.usage);
  const proposal = proposed.value;
  const isAsking = !options.yes && !options.print;
  if (isAsking && !hasTerminal())
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
  const lines = [...planLines(target, plan), ...gateLines(target.root, plan.gates)];
  if (options.print) {
    print([...(await diffLines(plan.changes)), ...lines, ...proposal.notes, NOTHING_WRITTEN]);
    return EXIT.ok;
  }
  const isConfirmed =
    !prompts || plan.changes.length === 0 || (await prompts.askToWrite(lines, 'Write these changes?'));
  if (!isConfirmed) return EXIT.interrupted;
  const problems = writeSetup(target.root, plan.changes);
  if (problems.length > 0) return failUnwritten(problems);
  const unrecorded = recordForHooks(program);
  print([...lines, ...proposal.notes, ...unrecorded, ...nextSteps(target, chosen.hosts, program)]);
  if (prompts && plan.gates.length > 0) await prompts.offerBaseline();
  return EXIT.ok;
}

async function propose(
  target: SetupTarget,
  named: readonly KnownHost[] | undefined,
  typed: readonly string[] | undefined,
): Promise<Result<SetupProposal>> {
  const { root, project } = target;
  const detected = detectHosts((path) => existsSync(join(root, path)), isOnPath);
  const { hosts, why } = named ? { hosts: named, why: 'named' } : detected;
  const mayHaveNone = project?.layout === 'trellis';
  const kept = { hosts, hostsSource: why, gates: undefined, notes: [], mayHaveNone, canRun: canRunIn(root) };
  if (typed === undefined && (await hasGates(target))) return success(kept);
  const { gates, notes } = proposeGates(readDirectory(root));
  if (typed !== undefined) {
    const chosen = chooseGates(typed, gates, kept.canRun);
    return chosen.ok ? success({ ...kept, gates: chosen.value }) : chosen;
  }
  return success({ ...kept, gates: mayHaveNone && gates.length === 0 ? undefined : gates, notes });
}

/** Whether a single word is a command at the project's root: a program on PATH, or a file. */
function canRunIn(root: string): SetupProposal['canRun'] {
  return (word) => (word.includes('/') ? existsSync(resolve(root, word)) : isOnPath(word));
}

/** Whether the config has gates; a broken config is not overwritten. The markers of a Trellis task may get gates beside. */
async function hasGates({ root, project }: SetupTarget): Promise<boolean> {
  if (!project) return false;
  const { gates, problems } = await readProject(project, readCurrentTask(root));
  const isListed = project.gateConfig !== undefined || listsGates(project.config?.text ?? '');
  return isListed || problems.length > 0 || gates.some(({ kind }) => kind === 'command');
}

/** Shows what would be removed, asks, and removes it. */
async function uninstall(target: SetupTarget, { yes, print: isPrinting }: InitOptions): Promise<number> {
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
  if (!yes && plan.changes.length + stateLines.length > 0) {
    if (!hasTerminal())
      return failUnwritten(
        [
          'Cannot ask without a terminal. Use --yes to remove the setup, or --print to show what would change.',
        ],
        EXIT.usage,
      );
    const { askToWrite } = await import('./init-prompts.ts');
    if (!(await askToWrite(lines, 'Apply these changes?'))) return EXIT.interrupted;
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
export function writeSetup(root: string, changes: readonly FileChange[]): string[] {
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
  const record = recordChanges(readRecord(root), changes, directories, replacedHooks(changes));
  const after = `${JSON.stringify(record, null, 2)}\n`;
  const problem = writeChanges(root, [{ ...recordFile, after }, ...changes]);
  if (problem === undefined) return [];
  removeEmptyDirectories(root, directories);
  return [problem];
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
  const removedRecord = { path: RECORD_PATH, before: undefined, after: undefined };
  const problem = writeChanges(root, [...changes, removedRecord]);
  if (problem !== undefined) return [problem];
  rmSync(ralphDirectory(root), { recursive: true, force: true });
  const removed = changes.flatMap(({ path, after }) => (after === undefined ? [dirname(path)] : []));
  removeEmptyDirectories(
    root,
    (record?.directories ?? [...removed, '.trellis']).filter((path) => path !== '.'),
  );
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
export function planLines(
  target: SetupTarget,
  { changes, remarks }: Plan,
  moreFiles: readonly string[] = [],
): string[] {
  const where = target.why === undefined ? [] : [`In ${target.root}, ${target.why}:`];
  const files = [...changes.map((change) => `  ${verbOf(change).padEnd(7)}  ${change.path}`), ...moreFiles];
  return [...where, ...(files.length > 0 ? files : ['Nothing to change.']), ...remarks];
}

/** The gates that are written, in the order in which they run. */
export function gateLines(root: string, gates: readonly Gate[]): string[] {
  const lines = gates.flatMap((gate) => {
    if (gate.kind !== 'command') return [];
    const { name, command, cwd } = gate;
    const where = cwd === root ? '' : `, in ${relative(root, cwd)}`;
    return [name === command ? `  ${command}` : `  ${name}: ${command}${where}`];
  });
  return lines.length > 0 ? ['Gates, cheap ones first:', ...lines] : [];
}

function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

function verbOf({ before, after }: FileChange): string {
  if (before === undefined) return 'created';
  return after === undefined ? 'removed' : 'changed';
}

function nextSteps(
  { root, repository }: SetupTarget,
  hosts: readonly KnownHost[],
  program: Program,
): string[] {
  const start = hosts.some(({ hookFile }) => !hookFile.isFoundBelow)
    ? whereToStart(root, realPathOf(process.cwd()), repository)
    : undefined;
  const command = program.kind === 'on-path' ? 'ralph-loop' : `npx ${PACKAGE}`;
  return [
    ...(start === undefined ? [] : [start]),
    ...programRemarks(program),
    ...hosts.flatMap(({ trust }) => trust?.instructions ?? []),
    `Next: run the gates with "${command} verify", and test the hooks with "${command} doctor --fire".`,
    `If a gate fails now: "${command} baseline" records its failures, so that agents can work on other things.`,
  ];
}

/** Records a program that nothing else leads to. @returns why it could not be recorded */
export function recordForHooks(program: Program): string[] {
  if (program.kind !== 'on-machine') return [];
  try {
    recordProgram(program.path, process.env);
    return [];
  } catch (error) {
    return [`The hooks will not find ${program.path}: it could not be recorded: ${reasonOf(error)}.`];
  }
}

function programRemarks(program: Program): string[] {
  const share = `npm install --save-dev ${PACKAGE}, or without a package.json npm install --global ${PACKAGE}`;
  if (program.kind === 'in-project')
    return program.isThere
      ? []
      : [`${PACKAGE} is not installed yet: install the dependencies of this project.`];
  if (program.kind === 'on-path')
    return [
      `The hooks start the ralph-loop that is installed for you. Others who work on this project need it too: ${share}.`,
    ];
  const fromHere = relative(process.cwd(), program.path);
  const path = fromHere.startsWith('..') ? program.path : fromHere;
  return [
    `The hooks start ${path}${program.isTemporary ? ', in a cache that npm may clear' : ''}, which exists on this machine only. Install ralph-loop for the project: ${share}.`,
  ];
}

export function failUnwritten(problems: readonly string[], exitCode?: number): number {
  return fail([...problems, NOTHING_WRITTEN], exitCode);
}
