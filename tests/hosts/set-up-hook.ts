import type { HostName } from '../../src/loop/stop-event.ts';
import { BIN } from '../helpers/bin.ts';
import { type Files, type Project, worktreeYaml } from '../helpers/project.ts';

export interface HookSetUp {
  readonly gates: readonly string[];
  /** After how long the host gives up on the hook. */
  readonly timeoutSeconds?: number;
}

/** Guards the project as a person would: its gates, and the host's hook that calls ralph-loop. */
export function setUpHook(
  project: Project,
  host: HostName,
  { gates, timeoutSeconds = 600 }: HookSetUp,
): void {
  const deadline = timeoutSeconds - (timeoutSeconds > 60 ? 30 : 2);
  const command = `node "${BIN}" hook --host ${host} --deadline ${deadline}`;
  project.write({ 'worktree.yaml': worktreeYaml(gates), ...hookFiles(host, command, timeoutSeconds) });
}

function hookFiles(host: HostName, command: string, timeout: number): Files {
  const handler = { type: 'command', command, timeout };
  switch (host) {
    case 'claude-code':
      return jsonFile('.claude/settings.json', {
        hooks: { Stop: [{ hooks: [handler] }], SubagentStop: [{ matcher: 'check', hooks: [handler] }] },
      });
    case 'codex':
      return jsonFile('.codex/hooks.json', {
        hooks: { Stop: [{ hooks: [handler] }], SubagentStop: [{ matcher: '^check$', hooks: [handler] }] },
      });
    case 'gemini':
      return jsonFile('.gemini/settings.json', {
        hooks: { AfterAgent: [{ hooks: [{ ...handler, name: 'ralph-loop', timeout: timeout * 1000 }] }] },
      });
    case 'qwen': {
      // The older releases count in milliseconds, and the newer ones do from 1000 on.
      const hooks = [{ ...handler, timeout: timeout * 1000 }];
      return jsonFile('.qwen/settings.json', {
        hooks: { Stop: [{ hooks }], SubagentStop: [{ matcher: '^check$', hooks }] },
      });
    }
    case 'copilot': {
      const entry = { type: 'command', bash: command, timeoutSec: timeout };
      return jsonFile('.github/hooks/ralph-loop.json', {
        version: 1,
        hooks: { Stop: [entry], SubagentStop: [entry] },
      });
    }
    default:
      throw new Error(`how ${host} is told of a hook is not written down here`);
  }
}

function jsonFile(name: string, document: object): Files {
  return { [name]: JSON.stringify(document) };
}
