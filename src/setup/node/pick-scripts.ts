import { faultOf, isNameOf, type NamedCommands, namesOf } from '../known-names.ts';
import { type GateKind, KINDS } from '../proposed-gate.ts';
import { onlyCallsScripts, scriptsCalledBy, scriptsRunBy, wholeCommand } from './called-scripts.ts';
import { mayWait } from './terminal-watchers.ts';
import { kindsIn } from './tool-kinds.ts';

/** A script that makes a gate. */
export interface PickedScript {
  readonly kind: GateKind;
  readonly script: string;
  /** It checks more than its kind says. */
  readonly isMixed: boolean;
  /** What is run, one after the other: the script, or those that it calls and that are no gates of their own. */
  readonly parts: readonly string[];
  /** The scripts that would be gates too, if this one did not run them anyway. */
  readonly covers: readonly string[];
}

type Draft = Omit<PickedScript, 'covers'>;

/** What scripts are called that check anything; they are looked at only for what is checked nowhere else. */
const GENERAL_NAMES = ['check', 'verify', 'validate'];

/** The scripts that make gates: one a kind, and none that only repeats what another does. */
export function pickScripts(scripts: NamedCommands): PickedScript[] {
  const picked = KINDS.flatMap((kind): Draft[] => {
    const script = pickOne(kind, scripts);
    return script === undefined ? [] : [{ kind, script, isMixed: false, parts: [script] }];
  });
  for (const script of GENERAL_NAMES) {
    const kinds = kindsOf(script, scripts);
    const [cheapest, dearest] = [kinds[0], kinds.at(-1)];
    if (!cheapest || !dearest || kinds.every((kind) => picked.some((pick) => pick.kind === kind))) continue;
    if (isFit(cheapest, script, scripts))
      picked.push({ kind: dearest, script, isMixed: kinds.length > 1, parts: [script] });
  }
  return withoutRepeats(picked, scripts);
}

function pickOne(kind: GateKind, scripts: NamedCommands): string | undefined {
  const fit = namesOf(kind, scripts).filter((script) => isFit(kind, script, scripts));
  return fit.find((script) => !mayWait(wholeCommand(script, scripts))) ?? fit[0];
}

function isFit(kind: GateKind, script: string, scripts: NamedCommands): boolean {
  const commands = [scripts[script] ?? '', wholeCommand(script, scripts)];
  return commands.every((command) => faultOf(kind, command) === undefined);
}

/** What a script checks, told by the programs that run in it and the names of the scripts that it runs. */
function kindsOf(script: string, scripts: NamedCommands): GateKind[] {
  const byTool = kindsIn(wholeCommand(script, scripts));
  const called = [...scriptsRunBy(script, scripts)];
  return KINDS.filter((kind) => byTool.includes(kind) || called.some((name) => isNameOf(kind, name)));
}

/**
 * A script that only calls others is left with those that are no cheaper gates. What a gate still runs is no gate of
 * its own; but a build that repeats cheaper gates is left out itself.
 */
function withoutRepeats(picked: readonly Draft[], scripts: NamedCommands): PickedScript[] {
  const runBy = ({ parts }: Draft) =>
    new Set(parts.flatMap((part) => [part, ...scriptsRunBy(part, scripts)]));
  const repeats = (pick: Draft, others: readonly Draft[]) =>
    others.map(({ script }) => script).filter((script) => script !== pick.script && runBy(pick).has(script));
  const shortened = picked
    .map((pick) => ({ ...pick, parts: ownParts(pick, picked, scripts) }))
    .filter(({ parts }) => parts.length > 0);
  const kept = shortened.filter((pick) => pick.kind !== 'build' || repeats(pick, shortened).length === 0);
  return kept
    .filter(({ script }) => !kept.some((other) => repeats(other, kept).includes(script)))
    .map((pick) => ({ ...pick, covers: repeats(pick, kept) }));
}

/** `npm run lint && npm run unit` without the lint, which fails sooner as a gate. `pre` and `post` scripts stay with it. */
function ownParts(
  { kind, script, parts }: Draft,
  picked: readonly Draft[],
  scripts: NamedCommands,
): readonly string[] {
  const command = scripts[script] ?? '';
  const hasHooks = [`pre${script}`, `post${script}`].some((hook) => Object.hasOwn(scripts, hook));
  if (hasHooks || !onlyCallsScripts(command)) return parts;
  const called = scriptsCalledBy(command, scripts);
  const cheaper = picked.filter((other) => KINDS.indexOf(other.kind) < KINDS.indexOf(kind));
  const own = called.filter((part) => !cheaper.some((other) => other.script === part));
  return own.length < called.length ? own : parts;
}
