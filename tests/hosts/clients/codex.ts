import type { Client } from '../client.ts';

/** It has the tool `apply_patch` only for models that it knows, and no subagents for this one. */
export const codexWithPatchTool = (): Client => ({
  ...codex,
  homeFiles: (place) => {
    const { '.codex/config.toml': config = '' } = codex.homeFiles?.(place) ?? {};
    return { '.codex/config.toml': String(config).replace('model = "scripted"', 'model = "gpt-5.5"') };
  },
});

export const codex: Client = {
  host: 'codex',
  title: 'Codex CLI',
  package: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
  environment: () => ({ SCRIPTED_API_KEY: 'dummy' }),
  // Features that use other servers are disabled. A JSON string is a valid TOML string.
  homeFiles: ({ project, serverUrl }) => ({
    '.codex/config.toml': `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
[model_providers.scripted]
name = "scripted"
base_url = "${serverUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
[projects.${JSON.stringify(project)}]
trust_level = "trusted"
`,
  }),
  arguments: () => [
    'exec',
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
    'go',
  ],
  shellCall: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  editCalls: ({ file, from, to }) => [
    {
      tool: 'apply_patch',
      input: {},
      freeform: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch`,
    },
  ],
  subagent: {
    files: {
      '.codex/agents/check.toml':
        'name = "check"\ndescription = "Checks the work"\ndeveloper_instructions = "Check."\n',
    },
    start: (prompt) => ({
      tool: 'spawn_agent',
      namespace: 'multi_agent_v1',
      input: { agent_type: 'check', message: prompt },
    }),
    wait: (started) => ({
      tool: 'wait_agent',
      namespace: 'multi_agent_v1',
      input: { targets: [JSON.parse(started).agent_id], timeout_ms: 120_000 },
    }),
  },
  complaints: ({ stderr }) =>
    stderr.split('\n').filter((line) => /^hook: .* Failed$|failed to parse hooks config/.test(line)),
};
