import type { CommandGate, Gate } from '../gates/types.ts';
import type { Finding } from './finding.ts';

/** What a gate's command needs, as far as it can be told without running it. */
export interface GateSurroundings {
  /** Whether a shell finds a program, or knows the word itself. */
  isFound(program: string, gate: CommandGate): boolean;
  /** Names of the scripts of the package.json in the gate's directory; undefined where there is none. */
  scriptsOf(gate: CommandGate): readonly string[] | undefined;
}

/** Whether each gate can start. Markers have nothing to start. */
export function checkGates(gates: readonly Gate[], surroundings: GateSurroundings): Finding[] {
  return gates.flatMap((gate) => (gate.kind === 'command' ? [checkGate(gate, surroundings)] : []));
}

function checkGate(gate: CommandGate, { isFound, scriptsOf }: GateSurroundings): Finding {
  const about = 'Gates';
  const program = programOf(gate.command);
  if (program !== undefined && !isFound(program, gate))
    return {
      about,
      level: 'error',
      what: `${gate.name}: there is no program "${program}" on PATH.`,
      mend: 'Install it, or repair the command: this gate can never pass.',
    };
  const script = scriptOf(gate.command);
  const scripts = script === undefined ? undefined : scriptsOf(gate);
  if (script !== undefined && scripts && !scripts.includes(script))
    return {
      about,
      level: 'error',
      what: `${gate.name}: package.json has no script "${script}".`,
      mend: 'Add it, or repair the command: this gate can never pass.',
    };
  return { about, level: 'ok', what: gate.name };
}

/** The first word of a command that is plain enough to tell; variables may be set before it. */
function programOf(command: string): string | undefined {
  return /^(?:\w+=[^\s"'$`]*\s+)*([\w./@+-]+)(?=[\s;&|]|$)/.exec(command.trim())?.[1];
}

/**
 * The script of the package.json in the gate's directory that is to be run; `npm test` is `npm run test`. Options may
 * lead elsewhere, as `--workspaces`, and yarn and bun run programs too.
 */
function scriptOf(command: string): string | undefined {
  return /^(?:npm (?=test(?![\w:.-]))|p?npm run )([\w:.][\w:.-]*)(?=$|[;&|]|\s+(?:-- |[^-\s]))/.exec(
    command.trim(),
  )?.[1];
}
