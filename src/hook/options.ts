import { HOSTS, type HostName } from '../hosts/registry.ts';

export const HOST_NAMES = HOSTS.map(({ name }) => name).join(', ');

/** The options of `ralph-loop hook`, for its help and for its parser. */
export const HOOK_OPTIONS = [
  {
    flag: '--deadline',
    value: '<seconds>',
    description:
      "Answer within this time (default: a little less than the host's timeout, 570 for Claude Code)",
  },
  {
    flag: '--host',
    value: '<name>',
    description: `Host that calls the hook: ${HOST_NAMES} (default: detected from the event)`,
  },
  {
    flag: '--format',
    value: '<format>',
    description: 'Form of the answer: "trellis" prints allow decisions too, like the Python hook',
  },
  {
    flag: '--config',
    value: '<file>',
    description: 'Use the gates of this gate.config.json',
  },
  { flag: '--verbose', description: 'Print the log record of the stop to stderr' },
] as const;

export interface Flag {
  readonly flag: string;
  readonly value?: string;
}

/** The additional options of Ralph Gate's hook. */
export const GATE_FLAGS: readonly Flag[] = [{ flag: '--hook' }, { flag: '--only', value: '<name>' }];

export interface HookOptions {
  /** Undefined for the default. */
  readonly deadlineSeconds: number | undefined;
  readonly format: 'host' | 'trellis';
  /** Undefined: detected from the event. */
  readonly host: HostName | undefined;
  /** Path of a gate config. */
  readonly config: string | undefined;
  /** Name of the only gate to run; an option of Ralph Gate's hook. */
  readonly only: string | undefined;
  readonly verbose: boolean;
  /** Arguments that were ignored. A typo in a hook's command line must not leave the agent unguarded. */
  readonly notes: readonly string[];
}

/**
 * Parses without a library: at every stop, commander would cost a sixth of Node's own start, and parseArgs of node:util a
 * thirtieth.
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

/** Returns the values of known flags, and a note for each other argument. */
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
