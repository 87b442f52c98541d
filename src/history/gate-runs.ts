import { type Check, checksIn } from '../integrity/config/checks.ts';

/** A gate that a command of the shell runs. */
export interface GateRun {
  readonly gate: string;
  /** The exit code of the command is not the gate's: a pipe, `|| true`, another command after it. */
  readonly isHidden: boolean;
}

/**
 * The gates that a command runs: the project's, by their command, and `ralph-loop verify`. In a project without gates,
 * the usual checks: test runners, linters, type checkers, and scripts that are named like one.
 *
 * @param gates the commands of the project's gates; undefined if it has none, or is gone
 */
export function gateRunsIn(command: string, gates: readonly string[] | undefined): GateRun[] {
  const own = checksIn(command, { everything: true })
    .filter(isOwnRun)
    .map((check) => runOf(ALL_GATES, check));
  if (gates === undefined) return [...own, ...checksIn(command).map((check) => runOf(check.tool, check))];
  return [...own, ...gates.flatMap((gate) => runsOfGate(command, gate))];
}

/** In place of a gate: all gates of the project. */
export const ALL_GATES = 'ralph-loop verify';

function isOwnRun({ text }: Check): boolean {
  return (
    /(?:^|[\s/])ralph-(?:loop(?:-cli)?(?:\.js|@\S+)?\s+(?:verify|wait)|gate(?:\.js|@\S+)?)(?=\s|$)/.test(
      text,
    ) && !/\s--(?:dry-run|hook|help|version)(?=\s|$)|\sralph-gate(?:\.js)?\s+init\b/.test(text)
  );
}

/** The place of a gate in a command. */
const PLACEHOLDER = 'ralph-gate-command';

function runsOfGate(command: string, gate: string): GateRun[] {
  const [text, part] = [oneSpaced(command), oneSpaced(gate)];
  const replaced = replaceWords(text, part, PLACEHOLDER);
  const checks = replaced === undefined ? [] : checksIn(replaced, { everything: true });
  const found = checks.filter(({ tool }) => tool === PLACEHOLDER);
  if (found.length > 0) return found.map((check) => runOf(gate, check));
  return sameScript(command, gate).map((check) => runOf(gate, check));
}

/** `npm run test` for the gate `npm test`: the same script, started in another way. */
function sameScript(command: string, gate: string): Check[] {
  const [own, ...others] = checksIn(gate, { everything: true });
  if (own === undefined || others.length > 0 || !own.tool.startsWith('script ')) return [];
  return checksIn(command, { everything: true }).filter(({ tool }) => tool === own.tool);
}

function runOf(gate: string, { ignoredBy, condition }: Check): GateRun {
  return { gate, isHidden: ignoredBy !== undefined || condition !== undefined };
}

function oneSpaced(text: string): string {
  return text.trim().replace(/[^\S\n]+/g, ' ');
}

/** The text with whole words in it replaced; undefined if it does not contain them. */
function replaceWords(text: string, words: string, by: string): string | undefined {
  let [result, at] = ['', 0];
  for (
    let found = text.indexOf(words);
    found !== -1 && words !== '';
    found = text.indexOf(words, found + 1)
  ) {
    if (found < at || !isEdge(text[found - 1]) || !isEdge(text[found + words.length])) continue;
    result += text.slice(at, found) + by;
    at = found + words.length;
  }
  return at === 0 ? undefined : result + text.slice(at);
}

function isEdge(character: string | undefined): boolean {
  return character === undefined || /[\s;|&()"'`<>]/.test(character);
}
