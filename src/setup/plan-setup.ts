import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { success } from '../base/result.ts';
import type { Gate } from '../gates/types.ts';
import type { KnownHost } from '../hosts/host.ts';
import type { ProposedGate } from './candidates.ts';
import type { SetupTarget } from './detect.ts';
import { launcherText, planLauncher } from './launcher.ts';
import { MCP_FILES, planMcp, planMcpRemoval } from './mcp-servers.ts';
import {
  EMPTY_PLAN,
  type FileChange,
  joinPlans,
  type Plan,
  planEdit,
  planOnTop,
  type ReadFile,
  readEditableFile,
} from './plan.ts';
import { listsGates, planConfig } from './plan-config.ts';
import { planHookRemoval, planHooks, restoredHookRemarks } from './plan-hooks.ts';
import type { Program } from './program.ts';
import { originalOf, type SetupRecord } from './write-changes.ts';

/** What `init` sets up. */
interface SetupChoice {
  readonly hosts: readonly KnownHost[];
  /** Undefined keeps the gates of the config. */
  readonly gates: readonly ProposedGate[] | undefined;
  readonly program: Program;
  /** Whether the hosts also start ralph-loop as an MCP server. */
  readonly mcp: boolean;
}

/** What `init` writes, with the gates if it writes them. */
interface SetupPlan extends Plan {
  readonly gates: readonly Gate[];
}

/** Plans everything that `init` writes: the config, the hooks, their launcher, and `.gitignore`. */
export async function planSetup(
  target: SetupTarget,
  { hosts, gates, program, mcp }: SetupChoice,
): Promise<SetupPlan> {
  const read = (path: string) => readEditableFile(target.root, path);
  const config = await planConfig(target, gates, program);
  const needs = { agents: config.settings.agents, gateSeconds: gateSecondsOf(config.gates) };
  const hooks = planHooks(hosts, needs, read);
  const isInProject = (path: string) => existsSync(join(target.root, path));
  const starts = mcp
    ? planOnTop(hooks, read, (changed) => planMcp(hosts, target.root, isInProject, changed))
    : hooks;
  const plan = joinPlans([
    config,
    planOnTop(starts, read, (changed) =>
      planLauncher(
        launcherText(program),
        changed,
        hosts.some(({ hookFile }) => hookFile.isOfUser),
      ),
    ),
    ...(target.repository !== undefined ? [planIgnore(read)] : []),
  ]);
  return { ...plan, gates: config.changes.length > 0 ? config.gates : [] };
}

/** From SIGTERM to SIGKILL of a gate that exceeds its limit. */
const GRACE_SECONDS = 2;

/** Seconds that all gates together may take; infinite if one has no limit. */
export function gateSecondsOf(gates: readonly Gate[]): number {
  return gates.reduce(
    (sum, gate) => sum + (gate.kind === 'command' ? gate.timeoutSeconds + GRACE_SECONDS : 0),
    0,
  );
}

/** The files in which `init` writes gates. */
const CONFIGS = ['worktree.yaml', '.trellis/worktree.yaml', 'gate.config.json'];

/**
 * Plans the removal of everything that `init` wrote. A file that has not changed since gets its earlier content, byte for
 * byte; from any other file, only ralph-loop's part is removed.
 *
 * @param root absolute directory of the project
 * @param record undefined in a clone: git ignores the record
 */
export function planRemoval(root: string, record: SetupRecord | undefined): Plan {
  const read = (path: string) => readEditableFile(root, path);
  const recorded = (record?.files ?? []).map(({ path }) => path);
  const restored = recorded.flatMap((path): FileChange[] => {
    const file = read(path);
    const original = file.ok ? originalOf(record, path, file.value) : undefined;
    return file.ok && original ? [{ path, before: file.value, after: original.text }] : [];
  });
  const isRestored = (path: string) => restored.some((change) => change.path === path);
  const withServers = MCP_FILES.filter((path) => !isRestored(path));
  const removal = joinPlans([
    { ...EMPTY_PLAN, changes: restored },
    planOnTop(planHookRemoval(isRestored, record?.replaced, read), read, (changed) =>
      planMcpRemoval(withServers, changed),
    ),
    ...(isRestored('.gitignore') ? [] : [planIgnoreRemoval(read)]),
  ]);
  const plan = planOnTop(removal, read, (changed) => planLauncher(undefined, changed));
  const isSetUp = plan.changes.length > 0;
  const kept = CONFIGS.filter((path) => !isRestored(path)).flatMap((path) => {
    const file = read(path);
    if (!file.ok || file.value === undefined) return [];
    if (recorded.includes(path)) return [`${path} is kept: it has changed since.`];
    // Without a record, nobody knows who wrote it.
    return record === undefined && isSetUp ? keptRemark(path, file.value) : [];
  });
  return { ...plan, remarks: [...plan.remarks, ...restoredHookRemarks(plan.changes), ...kept] };
}

function keptRemark(path: string, text: string): string[] {
  if (!path.startsWith('.trellis/'))
    return [`${path} is kept: remove it by hand if nothing else uses its gates.`];
  return listsGates(text) ? [`${path} is kept: Trellis reads its gates too.`] : [];
}

/** An unreadable `.gitignore` does not prevent the removal. */
function planIgnoreRemoval(read: (path: string) => ReturnType<typeof readEditableFile>): Plan {
  const plan = planEdit('.gitignore', read, (text) =>
    success({ text: text === undefined ? undefined : removeIgnorePattern(text) }),
  );
  return { ...plan, problems: [] };
}

/** Plans that git ignores what ralph-loop writes at run time. */
export function planIgnore(read: ReadFile, { withResults = false } = {}): Plan {
  const ignored = withResults ? [STATE, RESULTS] : [STATE];
  return planEdit('.gitignore', read, (text) =>
    success({ text: ignored.reduce<string | undefined>(addIgnorePattern, text) }),
  );
}

interface IgnoredFiles {
  readonly pattern: string;
  /** Other patterns that match the same files. */
  readonly wider: readonly string[];
}

/** Everything that ralph-loop writes in a project at run time, and the state file that it shares with Trellis. */
export const STATE: IgnoredFiles = {
  pattern: '.trellis/.ralph*',
  wider: ['.trellis', '.trellis/*', '.trellis/**', '.ralph*', '**/.ralph*'],
};
/** The results of a gate config. */
const RESULTS: IgnoredFiles = {
  pattern: 'gate-results-*.json',
  wider: ['*.json', 'gate-results*', 'gate-*'],
};

/** Adds the pattern to the text of a `.gitignore`, unless the text ignores the files already. */
export function addIgnorePattern(text: string | undefined, { pattern, wider }: IgnoredFiles): string {
  if (text === undefined) return `${pattern}\n`;
  const patterns = text.split(/\r?\n/).map((line) => line.trim().replace(/^\/(?=\.trellis)|\/$/g, ''));
  if ([pattern, ...wider].some((each) => patterns.includes(each))) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${pattern}${eol}`;
}

/** Removes the pattern of the state; undefined if the file has nothing else. */
export function removeIgnorePattern(text: string): string | undefined {
  const lines = text.split(/(?<=\n)/).filter((line) => line.trim() !== STATE.pattern);
  return lines.length === 0 ? undefined : lines.join('');
}
