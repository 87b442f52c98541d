import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/hosts.ts';
import { checkTrust } from '../../../src/setup/check-trust.ts';
import type { FoundHook } from '../../../src/setup/find-hooks.ts';

const ROOT = '/my/project';
const HOOK: FoundHook = {
  file: '.codex/hooks.json',
  event: 'SubagentStop',
  matcher: 'check',
  command: 'ralph-loop hook',
  timeout: undefined,
  path: ['hooks', 'SubagentStop', 2, 'hooks', 1],
  groupPath: ['hooks', 'SubagentStop', 2],
  isAlone: false,
};

/** What Codex 0.169.0 makes its hash of. */
const HASHED =
  '{"event_name":"subagent_stop","hooks":[{"async":false,"command":"ralph-loop hook","timeout":600,"type":"command"}],"matcher":"check"}';
const TRUSTED = `[projects."${ROOT}"]\ntrust_level = "trusted"\n`;
const codexTrust = (hashed: string) =>
  `${TRUSTED}[hooks.state."${ROOT}/.codex/hooks.json:subagent_stop:2:1"]\ntrusted_hash = "sha256:${createHash('sha256').update(hashed).digest('hex')}"\n`;

const rows: [string, string, Record<string, string>, Record<string, string>, string][] = [
  ['Claude Code asks for none', 'claude-code', {}, {}, 'none'],
  ['Codex does not know the project', 'codex', {}, {}, 'error'],
  ['Codex does not know the hook', 'codex', { '~/.codex/config.toml': TRUSTED }, {}, 'error'],
  ['Codex knows the hook', 'codex', { '~/.codex/config.toml': codexTrust(HASHED) }, {}, 'ok'],
  ['Codex knows another form of it', 'codex', { '~/.codex/config.toml': codexTrust('x') }, {}, 'warning'],
  ['Codex has another home', 'codex', { '/c/config.toml': codexTrust(HASHED) }, { CODEX_HOME: '/c' }, 'ok'],
  ['Copilot does not know the folder', 'copilot', { '~/.copilot/config.json': '{' }, {}, 'error'],
  [
    'Copilot knows the folder around',
    'copilot',
    { '~/.copilot/config.json': '{"trustedFolders":["/my"]}' },
    {},
    'ok',
  ],
  [
    'Gemini was told not to trust',
    'gemini',
    { '~/.gemini/trustedFolders.json': `{"${ROOT}":"DO_NOT_TRUST"}` },
    {},
    'error',
  ],
  ['Gemini is told by its environment', 'gemini', {}, { GEMINI_CLI_TRUST_WORKSPACE: 'true' }, 'ok'],
  [
    'Gemini does not ask',
    'gemini',
    { '~/.gemini/settings.json': '{"security":{"folderTrust":{"enabled":false}}}' },
    {},
    'ok',
  ],
];

test.for(rows)('%s', ([, name, files, env, level]) => {
  const host = HOSTS.find((known) => known.name === name) as KnownHost;
  const [finding] = checkTrust(host, ROOT, [HOOK], { env, read: (file) => files[file] });
  expect(finding?.level ?? 'none').toBe(level);
});
