import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

export interface ClaudeProject {
  readonly directory: string;
  /** Nothing of the person's own environment or home: neither their settings nor their login may reach the client. */
  readonly environment: Readonly<Record<string, string>>;
  readonly debugFile: string;
  remove(): Promise<void>;
}

export interface CommandHook {
  readonly command: string;
  readonly timeout: number;
}

/** Words that only the check agent's own requests carry. */
export const CHECK_AGENT_MARK = 'You are the check agent of this scripted project.';

/** A git repository with a Trellis task, one gate (`test -f fixed.txt`), and `hook` on the stop of the check agent. */
export async function createClaudeProject(hook: CommandHook): Promise<ClaudeProject> {
  // The space in the path is the point: an unquoted path anywhere shows.
  const root = await mkdtemp(path.join(await realpath(tmpdir()), 'ralph hosts '));
  const directory = path.join(root, 'my project');
  const settings = { hooks: { SubagentStop: [{ matcher: 'check', hooks: [{ type: 'command', ...hook }] }] } };
  const files = {
    '.trellis/worktree.yaml': 'verify:\n  - test -f fixed.txt\n',
    '.trellis/.current-task': 'tasks/demo\n',
    '.trellis/tasks/demo/task.json': '{}\n',
    '.claude/agents/check.md': `---\nname: check\ndescription: Checks the work\n---\n${CHECK_AGENT_MARK}\n`,
    '.claude/settings.json': JSON.stringify(settings),
  };
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const environment = await scrubbedEnvironment(root);
  await execa('git', ['init', '--quiet'], { cwd: directory, env: environment, extendEnv: false });
  return {
    directory,
    environment,
    debugFile: path.join(root, 'debug.log'),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function scrubbedEnvironment(root: string): Promise<Record<string, string>> {
  const [home, temporary] = [path.join(root, 'home'), path.join(root, 'tmp')];
  await Promise.all([home, temporary].map((folder) => mkdir(folder)));
  return {
    // The hook's command says `node`: it shall be the one that runs these tests.
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_API_KEY: 'dummy',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Lets a client that runs as root in a container bypass permissions.
    IS_SANDBOX: '1',
  };
}
