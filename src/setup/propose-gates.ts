import { failure, type Result, success } from '../base/result.ts';
import { didYouMean } from '../config/validate.ts';
import { type Candidate, commandFault, KINDS, type Note, type ProposedGate } from './candidates.ts';
import { cmakeGates } from './ecosystems/cmake.ts';
import { denoGates } from './ecosystems/deno.ts';
import { dotnetGates } from './ecosystems/dotnet.ts';
import { elixirGates } from './ecosystems/elixir.ts';
import { gitHookGates } from './ecosystems/git-hooks.ts';
import { goGates } from './ecosystems/go.ts';
import { jvmGates } from './ecosystems/jvm.ts';
import { nodeGates } from './ecosystems/node.ts';
import { kindOf } from './ecosystems/node-scripts.ts';
import { isNodeWorkspace } from './ecosystems/node-workspace.ts';
import { phpGates } from './ecosystems/php.ts';
import { preCommitGates, pythonGates } from './ecosystems/python.ts';
import { rubyGates } from './ecosystems/ruby.ts';
import { rustGates } from './ecosystems/rust.ts';
import { swiftGates } from './ecosystems/swift.ts';
import { taskFileGates } from './ecosystems/task-files.ts';
import { factsOf, type ProjectDirectory, type ProjectFacts, subdirectory } from './project-facts.ts';
import { subprojectsOf } from './subprojects.ts';

/** The gates that suit a project. */
interface ProposedGates {
  /** From cheap to expensive. */
  readonly gates: readonly ProposedGate[];
  /** What could be a gate but is not, each as a sentence for the person. */
  readonly notes: readonly string[];
}

interface Ecosystem {
  readonly name: string;
  readonly gatesOf: (project: ProjectFacts) => (Candidate | Note)[];
  /** Names of files that make a directory below the root a project of this ecosystem. */
  readonly manifest: RegExp;
  /** Whether the root names the projects below it; others are not looked for then. */
  readonly hasWorkspace?: (root: ProjectFacts) => boolean;
}

/** If several ecosystems have a gate of one kind, the first one gets the name without a prefix. */
const ECOSYSTEMS: readonly Ecosystem[] = [
  { name: 'node', gatesOf: nodeGates, manifest: /^package\.json$/, hasWorkspace: isNodeWorkspace },
  { name: 'deno', gatesOf: denoGates, manifest: /^deno\.jsonc?$/ },
  {
    name: 'python',
    gatesOf: pythonGates,
    manifest: /^(pyproject\.toml|setup\.(py|cfg)|Pipfile|requirements.*\.txt)$/,
  },
  { name: 'rust', gatesOf: rustGates, manifest: /^Cargo\.toml$/ },
  { name: 'go', gatesOf: goGates, manifest: /^go\.(mod|work)$/ },
  { name: 'jvm', gatesOf: jvmGates, manifest: /^((build|settings)\.gradle(\.kts)?|pom\.xml|build\.sbt)$/ },
  { name: 'dotnet', gatesOf: dotnetGates, manifest: /\.(slnx?|(cs|fs|vb)proj)$/ },
  { name: 'ruby', gatesOf: rubyGates, manifest: /^Gemfile$/ },
  { name: 'php', gatesOf: phpGates, manifest: /^composer\.json$/ },
  { name: 'elixir', gatesOf: elixirGates, manifest: /^mix\.exs$/ },
  { name: 'swift', gatesOf: swiftGates, manifest: /^Package\.swift$/ },
  { name: 'cmake', gatesOf: cmakeGates, manifest: /^CMakeLists\.txt$/ },
];

/** Seconds; a test suite or a build often exceeds the default of `command_timeout`. */
const USUAL_TIMEOUT: Readonly<Partial<Record<Candidate['kind'], number>>> = { test: 300, build: 300 };

/**
 * Proposes gates for a project; none if its ecosystem is unknown. Projects below the root have gates of their own for
 * ecosystems and kinds of checks that the root does not cover.
 */
export function proposeGates(directory: ProjectDirectory): ProposedGates {
  const project = factsOf(directory);
  const root = gatesIn(project, ECOSYSTEMS);
  const hooks = [...preCommitGates(project), ...gitHookGates(project, root.candidates)];
  const gates = withNames([
    ...root.candidates,
    ...hooks.flatMap((each) => ('run' in each ? [{ ecosystem: 'git', ...each }] : [])),
    ...root.fromTaskFiles,
  ]);
  const below = gatesBelow(directory, project, root);
  return {
    gates: inOrderOfCost([...gates, ...below.gates]),
    notes: [
      ...project.problems(),
      ...root.notes,
      ...hooks.flatMap((each) => ('note' in each ? [each.note] : [])),
      ...below.notes,
    ],
  };
}

type NamedCandidate = Candidate & { readonly ecosystem: string };

interface FoundGates {
  readonly candidates: readonly NamedCandidate[];
  /** For kinds that no candidate covers. */
  readonly fromTaskFiles: readonly NamedCandidate[];
  readonly notes: readonly string[];
}

function gatesIn(project: ProjectFacts, ecosystems: readonly Ecosystem[]): FoundGates {
  const found = ecosystems.flatMap(({ name, gatesOf }) =>
    gatesOf(project).map((each) => ({ ecosystem: name, ...each })),
  );
  const candidates = found.filter((each) => 'run' in each);
  const fromTaskFiles = taskFileGates(project)
    .filter(({ kind }) => candidates.every((gate) => gate.kind !== kind))
    .filter(({ kind }, index, all) => all.findIndex((gate) => gate.kind === kind) === index)
    .map((gate) => ({ ecosystem: 'task', ...gate }));
  return { candidates, fromTaskFiles, notes: found.flatMap((each) => ('note' in each ? [each.note] : [])) };
}

/** The gates of `web/` and `api/`, each run in its directory. */
function gatesBelow(directory: ProjectDirectory, project: ProjectFacts, root: FoundGates): ProposedGates {
  const others = ECOSYSTEMS.filter(
    ({ name, hasWorkspace }) =>
      !hasWorkspace?.(project) && root.candidates.every(({ ecosystem }) => ecosystem !== name),
  );
  const ecosystemsIn = (path: string) =>
    others.filter(({ manifest }) => directory.list(path).some((name) => manifest.test(name)));
  const { found, leftOut } = subprojectsOf(directory, (path) => ecosystemsIn(path).length > 0);
  const parts = found.map((path) => {
    const subproject = factsOf(subdirectory(directory, path), path);
    const { candidates, fromTaskFiles, notes } = gatesIn(subproject, ecosystemsIn(path));
    const gates = withNames([...candidates, ...fromTaskFiles])
      .filter(({ kind }) => root.fromTaskFiles.every((gate) => gate.kind !== kind))
      .map((gate) => ({ ...gate, name: `${path}/${gate.name}`, cwd: path, why: `${gate.why}, in ${path}` }));
    return { gates, notes: [...subproject.problems(), ...notes.map((note) => `${path}: ${note}`)] };
  });
  const more =
    leftOut > 0 ? [`${leftOut} more directories have projects; name their gates with --gates.`] : [];
  return {
    gates: parts.flatMap(({ gates }) => gates),
    notes: [...parts.flatMap(({ notes }) => notes), ...more],
  };
}

/** A name that is taken gets its ecosystem as a prefix: `python-lint`. */
function withNames(candidates: readonly NamedCandidate[]): ProposedGate[] {
  const taken = new Set<string>();
  return candidates.map(
    ({ ecosystem, kind, run, why, name: short = kind, timeoutSeconds = USUAL_TIMEOUT[kind], exclusive }) => {
      const name = taken.has(short) ? `${ecosystem}-${short}` : short;
      taken.add(name);
      return withExclusive({
        name,
        kind,
        run,
        why,
        ...(timeoutSeconds !== undefined && { timeoutSeconds }),
        ...(exclusive && { exclusive }),
      });
    },
  );
}

function withExclusive(gate: ProposedGate): ProposedGate {
  const isWriting = gate.kind === 'build' || commandFault(gate.run) === 'changes files';
  return isWriting ? { ...gate, exclusive: true } : gate;
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
  for (const word of words.map((each) => each.trim()).filter(Boolean)) {
    const gate = proposed.find(({ name }) => name === word);
    if (gate === undefined && isListOfWords(word) && !canRun(word)) return failure(unknownGate(word, names));
    const chosen = gate ?? commandGate(word);
    if (!gates.some(({ name }) => name === chosen.name)) gates.push(chosen);
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
  return withExclusive({ name: run, kind: kindOf(run) ?? 'test', run, why: 'typed' });
}

/** From cheap to expensive; gates of one kind keep their order. */
export function inOrderOfCost(gates: readonly ProposedGate[]): ProposedGate[] {
  return gates.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}
