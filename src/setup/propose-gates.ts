import { denoGates } from './ecosystems/deno.ts';
import { dotnetGates } from './ecosystems/dotnet.ts';
import { elixirGates } from './ecosystems/elixir.ts';
import { goGates } from './ecosystems/go.ts';
import { jvmGates } from './ecosystems/jvm.ts';
import { nodeGates } from './ecosystems/node.ts';
import { phpGates } from './ecosystems/php.ts';
import { preCommitGates } from './ecosystems/pre-commit.ts';
import { pythonGates } from './ecosystems/python.ts';
import { rubyGates } from './ecosystems/ruby.ts';
import { rustGates } from './ecosystems/rust.ts';
import { taskFileGates } from './ecosystems/task-files.ts';
import { factsOf, type ProjectDirectory, type ProjectFacts } from './project-facts.ts';
import { type Candidate, KINDS, type Note, type ProposedGate } from './proposed-gate.ts';

/** The gates that a project is set up for. */
export interface Proposal {
  /** Cheap ones first. */
  readonly gates: readonly ProposedGate[];
  /** What was seen and is no gate, each as a sentence for the person. */
  readonly notes: readonly string[];
}

/** Where several have a check of one kind, the first gives it the plain name. */
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

/** Seconds; a whole suite, or a build, often takes longer than `command_timeout`. */
const USUAL_TIMEOUT: Readonly<Partial<Record<Candidate['kind'], number>>> = { test: 300, build: 300 };

/** Looks at a project and proposes gates, from cheap to expensive; none where nothing of it is known. */
export function proposeGates(directory: ProjectDirectory): Proposal {
  const project = factsOf(directory);
  const found = ECOSYSTEMS.flatMap(([ecosystem, gatesOf]) =>
    gatesOf(project).map((each) => ({ ecosystem, ...each })),
  );
  const seen = found.filter((each) => 'run' in each);
  const missing = taskFileGates(project)
    .filter(({ kind }) => seen.every((gate) => gate.kind !== kind))
    .filter(({ kind }, index, all) => all.findIndex((gate) => gate.kind === kind) === index);
  const gates = withNames([...seen, ...missing.map((gate) => ({ ecosystem: 'task', ...gate }))]);
  return {
    gates: gates.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
    notes: [...project.problems(), ...found.flatMap((each) => ('note' in each ? [each.note] : []))],
  };
}

/** A name that is taken gets its ecosystem in front, which has one gate of that name: `python-lint`. */
function withNames(candidates: readonly (Candidate & { ecosystem: string })[]): ProposedGate[] {
  const taken = new Set<string>();
  return candidates.map(
    ({ ecosystem, kind, run, why, name: own = kind, timeoutSeconds = USUAL_TIMEOUT[kind] }) => {
      const name = taken.has(own) ? `${ecosystem}-${own}` : own;
      taken.add(name);
      return { name, kind, run, why, ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
    },
  );
}
