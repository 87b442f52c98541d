import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { KnownHost } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { checkTrust } from '../../../src/setup/check-hooks.ts';
import type { FoundHook } from '../../../src/setup/hook-files.ts';

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

/** The JSON that Codex 0.169.0 hashes. */
const HASHED =
  '{"event_name":"subagent_stop","hooks":[{"async":false,"command":"ralph-loop hook","timeout":600,"type":"command"}],"matcher":"check"}';
const TRUSTED = `[projects."${ROOT}"]\ntrust_level = "trusted"\n`;
const codexTrust = (hashed: string) =>
  `${TRUSTED}[hooks.state."${ROOT}/.codex/hooks.json:subagent_stop:2:1"]\ntrusted_hash = "sha256:${createHash('sha256').update(hashed).digest('hex')}"\n`;

const rows: [string, string, Record<string, string>, Record<string, string>, string][] = [
  ['Claude Code needs no trust', 'claude-code', {}, {}, 'none'],
  ['Codex does not trust the project', 'codex', {}, {}, 'error'],
  ['Codex does not trust the hook', 'codex', { '~/.codex/config.toml': TRUSTED }, {}, 'error'],
  ['Codex trusts the hook', 'codex', { '~/.codex/config.toml': codexTrust(HASHED) }, {}, 'ok'],
  [
    'Codex trusts an earlier form of the hook',
    'codex',
    { '~/.codex/config.toml': codexTrust('x') },
    {},
    'warning',
  ],
  [
    'CODEX_HOME has the configuration',
    'codex',
    { '/c/config.toml': codexTrust(HASHED) },
    { CODEX_HOME: '/c' },
    'ok',
  ],
  ['the configuration of Copilot is broken', 'copilot', { '~/.copilot/config.json': '{' }, {}, 'error'],
  [
    'Copilot trusts a parent folder',
    'copilot',
    { '~/.copilot/config.json': '{"trustedFolders":["/my"]}' },
    {},
    'ok',
  ],
  [
    'Gemini does not trust the folder',
    'gemini',
    { '~/.gemini/trustedFolders.json': `{"${ROOT}":"DO_NOT_TRUST"}` },
    {},
    'error',
  ],
  [
    'the environment makes Gemini trust the workspace',
    'gemini',
    {},
    { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    'ok',
  ],
  [
    'Gemini does not require trust',
    'gemini',
    { '~/.gemini/settings.json': '{"security":{"folderTrust":{"enabled":false}}}' },
    {},
    'ok',
  ],
];

test.for(rows)('checkTrust when %s: $4', ([, name, files, env, level]) => {
  const host = HOSTS.find((known) => known.name === name) as KnownHost;
  const [finding] = checkTrust(host, ROOT, [HOOK], { env, read: (file) => files[file] });
  expect(finding?.level ?? 'none').toBe(level);
});
