import { HOSTS, type HostName } from '../hosts/registry.ts';

export const HOST_NAMES = HOSTS.map(({ name }) => name).join(', ');

/** The options of `ralph-loop hook`: its help and its parsing both come from here. */
export const HOOK_OPTIONS = [
  {
    flag: '--deadline',
    value: '<seconds>',
    description:
      "answer by then; a little below the host's own timeout (default: below its default, 570 for Claude Code)",
  },
  {
    flag: '--host',
    value: '<name>',
    description: `the host that calls: ${HOST_NAMES}; by default told by the event`,
  },
  {
    flag: '--format',
    value: '<format>',
    description: 'form of the answer; "trellis" spells out allow, as the Python hook did',
  },
  {
    flag: '--config',
    value: '<file>',
    description: 'take the gates of this gate.config.json',
  },
  { flag: '--verbose', description: 'print the record of this stop on stderr too' },
] as const;

export interface Flag {
  readonly flag: string;
  readonly value?: string;
}

/** What Ralph Gate's hook takes beside. */
export const GATE_FLAGS: readonly Flag[] = [{ flag: '--hook' }, { flag: '--only', value: '<name>' }];

export interface HookOptions {
  /** Undefined: the default. */
  readonly deadlineSeconds: number | undefined;
  readonly format: 'host' | 'trellis';
  /** Undefined: told by the event. */
  readonly host: HostName | undefined;
  /** Path of a gate config. */
  readonly config: string | undefined;
  /** Of Ralph Gate's hook: the only gate to be run. */
  readonly only: string | undefined;
  readonly verbose: boolean;
  /** What could not be understood. A typo in a hook's command line must not leave the agent unguarded. */
  readonly notes: readonly string[];
}

/**
 * Parses by hand: commander costs a hook a sixth of Node's own start at every stop, node:util's parseArgs a thirtieth.
 */
export function parseHookOptions(args: readonly string[], more: readonly Flag[] = []): HookOptions {
  const { values, notes } = parseFlags(args, [...HOOK_OPTIONS, ...more]);
  const { '--deadline': deadline, '--format': format, '--config': config, '--host': host } = values;
  const seconds = Number(deadline);
  const isDeadline = deadline !== undefined && seconds > 0;
  if (deadline !== undefined && !isDeadline)
    notes.push(`--deadline ${deadline} is not a number of seconds, ignored`);
  if (format !== undefined && format !== 'trellis')
    notes.push(`--format ${format} is unknown, expected trellis; ignored`);
  const known = HOSTS.find(({ name }) => name === host)?.name;
  if (host !== undefined && known === undefined)
    notes.push(`--host ${host} is unknown, expected one of ${HOST_NAMES}; ignored`);
  return {
    host: known,
    deadlineSeconds: isDeadline ? seconds : undefined,
    format: format === 'trellis' ? 'trellis' : 'host',
    config: config || undefined,
    only: values['--only'],
    verbose: values['--verbose'] !== undefined,
    notes,
  };
}

/** The values of flags; of the others a note. */
function parseFlags(
  args: readonly string[],
  flags: readonly Flag[],
): { values: Record<string, string>; notes: string[] } {
  const notes: string[] = [];
  const values: Record<string, string> = {};
  for (let i = 0; i < args.length; i++) {
    const [flag = '', ...inline] = (args[i] ?? '').split('=');
    const option = flags.find((known) => known.flag === flag);
    if (option === undefined) notes.push(`unknown argument ${args[i]}, ignored`);
    else if (option.value === undefined) values[flag] = 'yes';
    else if (inline.length > 0) values[flag] = inline.join('=');
    else values[flag] = args[i + 1]?.startsWith('--') ? '' : (args[++i] ?? '');
  }
  return { values, notes };
}
