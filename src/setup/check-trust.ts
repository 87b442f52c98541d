import { createHash } from 'node:crypto';
import { isInside } from '../base/files.ts';
import type { KnownHost } from '../hosts/host.ts';
import type { FoundHook } from './find-hooks.ts';
import type { Finding } from './finding.ts';
import { parseData, type Table, textsIn, valueAt } from './parse-data.ts';

/** What a host keeps in the home directory, and its environment. */
export interface Home {
  readonly env: NodeJS.ProcessEnv;
  /** The text of a file below `~`; undefined where there is none. */
  read(file: string): string | undefined;
}

/** Whether a host was told to trust what it would have to run. Trust is for the person to give: nothing is written. */
export function checkTrust(
  host: KnownHost,
  root: string,
  hooks: readonly FoundHook[],
  home: Home,
): Finding[] {
  const { title: about, trust: mend } = host;
  if (mend === undefined || hooks.length === 0) return [];
  const { error, warning } = WHY_UNTRUSTED[host.name]?.(root, hooks, home) ?? {};
  if (error !== undefined) return [{ about, level: 'error', what: error, mend }];
  if (warning !== undefined) return [{ about, level: 'warning', what: warning, mend }];
  return [{ about, level: 'ok', what: 'It trusts this project.' }];
}

type Doubt = { readonly error?: string; readonly warning?: string };
type WhyUntrusted = (root: string, hooks: readonly FoundHook[], home: Home) => Doubt;

/** As the clients keep it: Codex 0.169.0, Copilot 1.0.102, Gemini 0.61.0. */
const WHY_UNTRUSTED: Readonly<Record<string, WhyUntrusted>> = {
  codex(root, hooks, { env, read }) {
    const file = `${env.CODEX_HOME ?? '~/.codex'}/config.toml`;
    const config = tableIn(file, read);
    if (valueAt(config, 'projects', root, 'trust_level') !== 'trusted')
      return { error: `${file} does not say that this project is trusted: Codex passes over its hooks.` };
    const hashes = hooks
      .filter((hook) => hook.file.startsWith('.codex/'))
      .map((hook) => ({
        hook,
        hash: valueAt(config, 'hooks', 'state', codexKey(root, hook), 'trusted_hash'),
      }));
    const untrusted = hashes.find(({ hash }) => hash === undefined);
    if (untrusted)
      return {
        error: `${file} knows no trust for the hook at ${untrusted.hook.event}: Codex passes over it.`,
      };
    const changed = hashes.find(({ hook, hash }) => hash !== codexHash(hook));
    if (changed)
      return {
        warning: `The hook at ${changed.hook.event} seems to have changed since Codex was told to trust it.`,
      };
    return {};
  },
  copilot(root, _, { env, read }) {
    const file = `${env.COPILOT_HOME ?? '~/.copilot'}/config.json`;
    const isTrusted = textsIn(tableIn(file, read).trustedFolders).some((folder) => isInside(folder, root));
    return isTrusted ? {} : { error: `${file} does not name this folder among those that are trusted.` };
  },
  gemini(root, _, { env, read }) {
    const settings = tableIn('~/.gemini/settings.json', read);
    const isAsking = valueAt(settings, 'security', 'folderTrust', 'enabled') !== false;
    const file = '~/.gemini/trustedFolders.json';
    const trusted = Object.entries(tableIn(file, read)).filter(([, trust]) => trust === 'TRUST_FOLDER');
    const isTrusted =
      trusted.some(([folder]) => isInside(folder, root)) || env.GEMINI_CLI_TRUST_WORKSPACE === 'true';
    return isTrusted || !isAsking
      ? {}
      : { error: `${file} does not name this folder among those that are trusted.` };
  },
};

/** `<file>:<event>:<group>:<hook>` */
function codexKey(root: string, { file, event, path }: FoundHook): string {
  const [, , group, , hook] = path;
  return `${root}/${file}:${snakeCase(event)}:${group}:${hook}`;
}

/** Codex keeps the SHA-256 of a hook in this form (read in 0.169.0, and checked against what it wrote). */
function codexHash({ event, matcher, command, timeout }: FoundHook): string {
  const hook = { async: false, command, timeout: timeout ?? 600, type: 'command' };
  const group = { event_name: snakeCase(event), hooks: [hook], ...(matcher !== undefined && { matcher }) };
  return `sha256:${createHash('sha256').update(JSON.stringify(group)).digest('hex')}`;
}

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

function tableIn(file: string, read: Home['read']): Table {
  const parsed = parseData(file, read(file) ?? '');
  return 'data' in parsed ? parsed.data : {};
}
