import { parseArgs } from 'node:util';

/** The options of `ralph-loop hook`: its help and its parsing both come from here. */
export const HOOK_OPTIONS = [
  {
    name: 'deadline',
    flags: '--deadline <seconds>',
    type: 'string',
    description: "answer by then, a little below the host's own timeout (default: 570)",
  },
  {
    name: 'format',
    flags: '--format <format>',
    type: 'string',
    description: 'form of the answer: "trellis" spells out allow, as the Python hook did',
  },
  {
    name: 'verbose',
    flags: '--verbose',
    type: 'boolean',
    description: 'tell on stderr what is done and why',
  },
] as const;

export interface HookOptions {
  readonly deadlineSeconds: number | undefined;
  readonly format: 'host' | 'trellis';
  readonly verbose: boolean;
  /** What could not be understood. A typo in a hook's command line must not leave the agent unguarded. */
  readonly notes: readonly string[];
}

/** Parses without commander, which a hook would have to wait for at every stop. */
export function parseHookOptions(args: readonly string[]): HookOptions {
  const options = Object.fromEntries(HOOK_OPTIONS.map(({ name, type }) => [name, { type }]));
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const known = HOOK_OPTIONS.map(({ name }) => name as string);
  const notes = tokens
    .filter(
      (token) => token.kind === 'positional' || (token.kind === 'option' && !known.includes(token.name)),
    )
    .map((token) => `unknown argument ${args[token.index]}, ignored`);
  const { deadline, format } = values;
  const seconds = Number(deadline);
  const isDeadline = typeof deadline === 'string' && seconds > 0;
  if (deadline !== undefined && !isDeadline)
    notes.push(`--deadline ${deadline} is not a number of seconds, ignored`);
  if (format !== undefined && format !== 'trellis')
    notes.push(`--format ${format} is not known, expected trellis; ignored`);
  return {
    deadlineSeconds: isDeadline ? seconds : undefined,
    format: format === 'trellis' ? 'trellis' : 'host',
    verbose: values.verbose === true,
    notes,
  };
}
