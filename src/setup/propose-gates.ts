import { failure, type Result, success } from '../base/result.ts';
import { didYouMean } from '../config/validate.ts';
import { type Candidate, KINDS, type Note, type ProposedGate } from './candidates.ts';
import { denoGates } from './ecosystems/deno.ts';
import { dotnetGates } from './ecosystems/dotnet.ts';
import { elixirGates } from './ecosystems/elixir.ts';
import { goGates } from './ecosystems/go.ts';
import { jvmGates } from './ecosystems/jvm.ts';
import { nodeGates } from './ecosystems/node.ts';
import { kindOf } from './ecosystems/node-scripts.ts';
import { phpGates } from './ecosystems/php.ts';
import { preCommitGates, pythonGates } from './ecosystems/python.ts';
import { rubyGates } from './ecosystems/ruby.ts';
import { rustGates } from './ecosystems/rust.ts';
import { taskFileGates } from './ecosystems/task-files.ts';
import { factsOf, type ProjectDirectory, type ProjectFacts } from './project-facts.ts';

/** The gates that suit a project. */
interface ProposedGates {
  /** From cheap to expensive. */
  readonly gates: readonly ProposedGate[];
  /** What could be a gate but is not, each as a sentence for the person. */
  readonly notes: readonly string[];
}

/** If several ecosystems have a gate of one kind, the first one gets the name without a prefix. */
const ECOSYSTEMS: readonly [name: string, gates: (project: ProjectFacts) => (Candidate | Note)[]][] = [
  ['node', nodeGates],
  ['deno', denoGates],
  ['python', pythonGates],
  ['rust', rustGates],
  ['go', goGates],
  ['jvm', jvmGates],
  ['dotnet', dotnetGates],
  ['ruby', rubyGates],
  ['php', phpGates],
  ['elixir', elixirGates],
  ['pre-commit', preCommitGates],
];

/** Seconds; a test suite or a build often exceeds the default of `command_timeout`. */
const USUAL_TIMEOUT: Readonly<Partial<Record<Candidate['kind'], number>>> = { test: 300, build: 300 };

/** Proposes gates for a project; none if its ecosystem is unknown. */
export function proposeGates(directory: ProjectDirectory): ProposedGates {
  const project = factsOf(directory);
  const found = ECOSYSTEMS.flatMap(([ecosystem, gatesOf]) =>
    gatesOf(project).map((each) => ({ ecosystem, ...each })),
  );
  const candidates = found.filter((each) => 'run' in each);
  const fromTaskFiles = taskFileGates(project)
    .filter(({ kind }) => candidates.every((gate) => gate.kind !== kind))
    .filter(({ kind }, index, all) => all.findIndex((gate) => gate.kind === kind) === index)
    .map((gate) => ({ ecosystem: 'task', ...gate }));
  return {
    gates: inOrderOfCost(withNames([...candidates, ...fromTaskFiles])),
    notes: [...project.problems(), ...found.flatMap((each) => ('note' in each ? [each.note] : []))],
  };
}

/** A name that is taken gets its ecosystem as a prefix: `python-lint`. */
function withNames(candidates: readonly (Candidate & { ecosystem: string })[]): ProposedGate[] {
  const taken = new Set<string>();
  return candidates.map(
    ({ ecosystem, kind, run, why, name: short = kind, timeoutSeconds = USUAL_TIMEOUT[kind] }) => {
      const name = taken.has(short) ? `${ecosystem}-${short}` : short;
      taken.add(name);
      return { name, kind, run, why, ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
    },
  );
}

/**
 * The gates that `--gates` names: proposed gates by their names, anything else as a command. They are in the order of
 * their cost, as the proposed ones are.
 *
 * @param values each a name, several names with commas between them, or a command
 * @param canRun whether a single word is a command: a program on PATH, or a file
 * @returns a failure for a single word that is neither a proposed gate nor a command, which is probably a typo
 */
export function chooseGates(
  values: readonly string[],
  proposed: readonly ProposedGate[],
  canRun: (word: string) => boolean,
): Result<readonly ProposedGate[]> {
  const words = values.flatMap((value) => (isListOfWords(value) ? value.split(',') : [value]));
  const names = proposed.map(({ name }) => name);
  const gates: ProposedGate[] = [];
  for (const word of words.map((each) => each.trim())) {
    const gate = proposed.find(({ name }) => name === word);
    if (gate === undefined && isListOfWords(word) && !canRun(word)) return failure(unknownGate(word, names));
    gates.push(gate ?? commandGate(word));
  }
  return success(inOrderOfCost(gates));
}

/** Words with commas between them, and no shell syntax. */
function isListOfWords(value: string): boolean {
  return /^[\w.:/@+-]*(?:\s*,\s*[\w.:/@+-]*)*$/.test(value.trim());
}

function unknownGate(word: string, names: readonly string[]): string {
  const suggestion = didYouMean(word, names) || ': it is neither a proposed gate nor a program on PATH.';
  const list = names.length > 0 ? ` Proposed gates: ${names.join(', ')}.` : '';
  return `Unknown gate "${word}"${suggestion}${list}`;
}

/** A command that a person typed. Its kind shows where it belongs: a test, if nothing shows another kind. */
function commandGate(run: string): ProposedGate {
  return { name: run, kind: kindOf(run) ?? 'test', run, why: 'typed' };
}

/** From cheap to expensive; gates of one kind keep their order. */
export function inOrderOfCost(gates: readonly ProposedGate[]): ProposedGate[] {
  return gates.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}
