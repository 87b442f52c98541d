/**
 * An agent without a hook that can block a stop. It gets the MCP server, which
 * asks the model to call `verify`, and blocks nothing.
 */
export interface HooklessAgent {
  readonly name: string;
  /** The product's name. */
  readonly title: string;
  /** What it has in place of a hook that can block, as a part of a sentence. */
  readonly lacks: string;
  /** Files or directories in a project that show that the agent is used there. */
  readonly projectFiles: readonly string[];
  /** The project's JSON file with the servers in `mcpServers`; absent if its documentation names none. */
  readonly mcpFile?: string;
  /** The user's settings with the servers, for an agent without such a file. */
  readonly settings?: UserSettings;
}

interface UserSettings {
  /** A path, or the way to it in the product. */
  readonly place: string;
  readonly key: 'mcpServers' | 'context_servers' | 'amp.mcpServers';
}

const NO_STOP_HOOK = 'calls no hook when its agent stops';

export const HOOKLESS_AGENTS: readonly HooklessAgent[] = [
  {
    name: 'cline',
    title: 'Cline',
    lacks: 'does not wait for the answer of its hook TaskComplete',
    projectFiles: ['.clinerules', '.cline'],
    settings: { place: 'cline_mcp_settings.json (MCP Servers > Configure)', key: 'mcpServers' },
  },
  {
    name: 'continue',
    title: 'Continue',
    lacks: 'does not call the Stop hook that it declares',
    projectFiles: ['.continue'],
    mcpFile: '.continue/mcpServers/ralph-loop.json',
  },
  {
    name: 'zed',
    title: 'Zed',
    lacks: NO_STOP_HOOK,
    projectFiles: ['.zed'],
    settings: { place: '~/.config/zed/settings.json', key: 'context_servers' },
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    lacks: 'calls no hook that can block a stop',
    projectFiles: ['.windsurf', '.windsurfrules'],
    settings: { place: '~/.codeium/windsurf/mcp_config.json', key: 'mcpServers' },
  },
  {
    name: 'kiro',
    title: 'Kiro',
    lacks: 'calls its Stop hook when the turn is over',
    projectFiles: ['.kiro'],
    mcpFile: '.kiro/settings/mcp.json',
  },
  {
    name: 'junie',
    title: 'Junie',
    lacks: 'ignores the hooks of a project',
    projectFiles: ['.junie'],
    mcpFile: '.junie/mcp/mcp.json',
  },
  {
    name: 'auggie',
    title: 'Auggie',
    lacks: 'does not use the answer of its Stop hook',
    projectFiles: ['.augment'],
    settings: { place: '~/.augment/settings.json', key: 'mcpServers' },
  },
  {
    name: 'amp',
    title: 'Amp',
    lacks: 'goes on after a stop only by an experimental interface for plugins',
    projectFiles: ['.amp'],
    settings: { place: '~/.config/amp/settings.json', key: 'amp.mcpServers' },
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    lacks: NO_STOP_HOOK,
    projectFiles: [],
    settings: {
      place: 'claude_desktop_config.json (Settings > Developer > Edit Config)',
      key: 'mcpServers',
    },
  },
];

/** What a person has to know who asks for hooks of this agent. */
export function cannotBlock({ title, lacks, projectFiles, mcpFile, settings }: HooklessAgent): string {
  const add =
    mcpFile === undefined
      ? `add the MCP server of ralph-loop, "npx ralph-loop-cli mcp" in the project's directory, to ${settings?.place}`
      : `"ralph-loop init --mcp" adds the MCP server of ralph-loop to ${mcpFile}, in a project with ${projectFiles.join(' or ')}`;
  return `${title} ${lacks}, so no stop of it can be blocked. The weaker way: ${add}. It asks the model to call verify before it says that it is done.`;
}
