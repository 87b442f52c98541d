/** The options of `ralph-loop hook`: its help and its parsing both come from here. */
export const HOOK_OPTIONS = [
  {
    flag: '--deadline',
    value: '<seconds>',
    description: "answer by then; a little below the host's own timeout (default: 570)",
  },
  {
    flag: '--format',
    value: '<format>',
    description: 'form of the answer; "trellis" spells out allow, as the Python hook did',
  },
  { flag: '--verbose', description: 'print the record of this stop on stderr too' },
] as const;

export interface HookOptions {
  /** Undefined: the default. */
  readonly deadlineSeconds: number | undefined;
  readonly format: 'host' | 'trellis';
  readonly verbose: boolean;
  /** What could not be understood. A typo in a hook's command line must not leave the agent unguarded. */
  readonly notes: readonly string[];
}

/**
 * Parses by hand: commander costs a hook a sixth of Node's own start at every stop, node:util's parseArgs a thirtieth.
 */
export function parseHookOptions(args: readonly string[]): HookOptions {
  const notes: string[] = [];
  const values: Record<string, string> = {};
  for (let i = 0; i < args.length; i++) {
    const [flag = '', ...inline] = (args[i] ?? '').split('=');
    const option = HOOK_OPTIONS.find((known) => known.flag === flag);
    if (option === undefined) notes.push(`unknown argument ${args[i]}, ignored`);
    else if (!('value' in option)) values[flag] = 'yes';
    else if (inline.length > 0) values[flag] = inline.join('=');
    else values[flag] = args[i + 1]?.startsWith('--') ? '' : (args[++i] ?? '');
  }
  const { '--deadline': deadline, '--format': format } = values;
  const seconds = Number(deadline);
  const isDeadline = deadline !== undefined && seconds > 0;
  if (deadline !== undefined && !isDeadline)
    notes.push(`--deadline ${deadline} is not a number of seconds, ignored`);
  if (format !== undefined && format !== 'trellis')
    notes.push(`--format ${format} is unknown, expected trellis; ignored`);
  return {
    deadlineSeconds: isDeadline ? seconds : undefined,
    format: format === 'trellis' ? 'trellis' : 'host',
    verbose: values['--verbose'] !== undefined,
    notes,
  };
}
