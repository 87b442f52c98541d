import { didYouMean } from '../config/validate.ts';
import type { KnownHost } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';

interface Signs {
  readonly host: KnownHost['name'];
  /** Files or directories of a project whose people use it. */
  readonly inProject: readonly string[];
  readonly program: string;
}

const SIGNS: readonly Signs[] = [
  { host: 'claude-code', inProject: ['.claude', 'CLAUDE.md'], program: 'claude' },
  { host: 'codex', inProject: ['.codex'], program: 'codex' },
  { host: 'gemini', inProject: ['.gemini', 'GEMINI.md'], program: 'gemini' },
  { host: 'qwen', inProject: ['.qwen', 'QWEN.md'], program: 'qwen' },
  { host: 'copilot', inProject: ['.github/hooks', '.github/copilot-instructions.md'], program: 'copilot' },
  { host: 'droid', inProject: ['.factory'], program: 'droid' },
  { host: 'cursor', inProject: ['.cursor', '.cursorrules'], program: 'cursor-agent' },
];

/** Hosts that a project is used with, as far as one can see. */
export interface DetectedHosts {
  readonly hosts: readonly KnownHost[];
  /** What they were seen by, for a person. */
  readonly why: string;
}

/**
 * The hosts whose files the project has; where it has none, those whose programs are installed; else Claude Code.
 *
 * @param inProject whether the project has a file or directory
 * @param onPath whether a program is on PATH
 */
export function detectHosts(
  inProject: (path: string) => boolean,
  onPath: (program: string) => boolean,
): DetectedHosts {
  const known = SIGNS.filter((signs) => signs.inProject.some(inProject));
  if (known.length > 0) return { hosts: hostsOf(known), why: 'the project has files of theirs' };
  const installed = SIGNS.filter(({ program }) => onPath(program));
  if (installed.length > 0) return { hosts: hostsOf(installed), why: 'their programs are installed' };
  return { hosts: hostsOf(SIGNS.slice(0, 1)), why: 'no host was seen here' };
}

function hostsOf(signs: readonly Signs[]): KnownHost[] {
  return HOSTS.filter(({ name }) => signs.some(({ host }) => host === name));
}

/** The hosts of these names; a name that is none's is a problem, with all that there are. */
export function hostsNamed(
  names: readonly string[],
): { readonly hosts: readonly KnownHost[] } | { readonly problem: string } {
  const known = HOSTS.map(({ name }) => name);
  const wanted = names.map((name) => name.trim());
  const stranger = wanted.find((name) => !known.some((host) => host === name));
  if (stranger !== undefined)
    return {
      problem: `Unknown host "${stranger}"${didYouMean(stranger, known) || '.'} The hosts are ${known.join(', ')}.`,
    };
  return { hosts: HOSTS.filter(({ name }) => wanted.includes(name)) };
}
