import { relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { sha256 } from '../base/sha256.ts';
import { uptimeMs } from '../base/time.ts';
import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import { gitIn } from '../checkpoint/git.ts';
import type { CommandGate, Gate } from '../gates/types.ts';
import { keyEnvironments } from './key-environment.ts';
import { hashInputs, hashPackages } from './key-files.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** What identifies a run of gates. */
export interface GateKeys {
  /** Fingerprint of the working tree; undefined without git, or if it takes too long. */
  readonly tree: string | undefined;
  /**
   * The key of each command gate: equal keys mean the same gate on the same files. A gate whose files cannot be known is
   * not in it.
   */
  readonly keys: ReadonlyMap<Gate, string>;
}

type KeyRequest = Pick<VerificationRequest, 'root' | 'gates' | 'resultsPath' | 'ignoredPath'>;

/** Enough to read a repository of 50,000 files for the first time. More is not worth waiting for: the gates run instead. */
const MAX_MS = 5000;
/** The share of the time until the hook's deadline. */
const MAX_SHARE = 0.1;
/** What a small repository needs on a busy machine. */
const MIN_MS = 2000;
/** Reserved before the hook's deadline, for the answer. */
const RESERVE_MS = 600;

/**
 * The keys of the gates on the files as they are now.
 *
 * @param known fingerprint of these files, where it has just been computed
 */
export async function gateKeys(
  request: KeyRequest,
  context: RunContext,
  known?: string | undefined,
): Promise<GateKeys> {
  const endAtMs = uptimeMs() + timeFor(context);
  const gates = request.gates.filter((gate) => gate.kind === 'command');
  if (gates.length === 0) return { tree: undefined, keys: new Map() };
  const tree = known ?? (await treeOf(request, context));
  if (tree === undefined) return { tree, keys: new Map() };
  const files = new GateFiles(request.root, context, endAtMs);
  const variablesOf = keyEnvironments(request.root, context.env);
  const keys = new Map<Gate, string>();
  for (const gate of gates) {
    const state = await files.stateFor(gate);
    if (state === undefined) continue;
    const variables = variablesOf(gate);
    const key = [packageJson.version, request.root, definitionOf(gate, request.root), variables, tree, state];
    keys.set(gate, sha256().update(JSON.stringify(key)).digest('hex'));
  }
  return { tree, keys };
}

/** The fingerprint of the working tree; undefined without git, or if it takes too long. */
export async function treeOf(
  { root, resultsPath, ignoredPath }: Omit<KeyRequest, 'gates'>,
  context: RunContext,
): Promise<string | undefined> {
  const { env, signal } = context;
  const timeoutMs = timeFor(context);
  if (timeoutMs <= 0) return undefined;
  return fingerprintTree(root, { env, signal, timeoutMs, except: resultsPath ?? ignoredPath });
}

function timeFor({ deadline }: RunContext): number {
  if (!deadline) return MAX_MS;
  const leftMs = deadline.atMs - RESERVE_MS - uptimeMs();
  return Math.min(MAX_MS, leftMs, Math.max(leftMs * MAX_SHARE, MIN_MS));
}

/** What a gate asks for, without what only says when it runs and what follows from its result. */
function definitionOf(
  {
    name: _,
    description,
    timeoutSeconds,
    blocking,
    order,
    needs,
    exclusive,
    report,
    reuse,
    retries,
    ...gate
  }: CommandGate,
  root: string,
): object {
  const entries = Object.entries({ ...gate, cwd: relative(root, gate.cwd) });
  return entries.filter(([, value]) => value !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A command whose result depends on what is committed or staged, as far as its text says so. */
const ABOUT_COMMITS =
  /(?:^|[^\w./-])(?:git|pre-commit|prek|lefthook|husky|lint-staged|commitlint|HEAD|ORIG_HEAD|FETCH_HEAD)(?![\w-])|\borigin\/|(?:^|\s)--(?:changed|since|affected|staged|cached|only-?changed|base|from-ref|testmon)|\baffected\b|\[[^\]]*\.\.\.|--filter/i;

/** What gates depend on besides the tree: read once, however many gates do. */
class GateFiles {
  readonly #root: string;
  readonly #context: RunContext;
  readonly #endAtMs: number;
  readonly #packages = new Map<string, Promise<string>>();
  #commits: Promise<string> | undefined;

  constructor(root: string, context: RunContext, endAtMs: number) {
    this.#root = root;
    this.#context = context;
    this.#endAtMs = endAtMs;
  }

  /** @returns undefined if it cannot be known */
  async stateFor({ command, cwd, inputs }: CommandGate): Promise<readonly string[] | undefined> {
    const breathe = async () => {
      if (uptimeMs() > this.#endAtMs || this.#context.signal.aborted) throw new Error('no time is left');
    };
    try {
      const state = [await this.#packagesOf(this.#root, breathe), await this.#packagesOf(cwd, breathe)];
      if (ABOUT_COMMITS.test(command)) state.push(await this.#commitsAndIndex());
      if (inputs === undefined) return state;
      const hash = await hashInputs(this.#root, inputs, breathe);
      return hash === undefined ? undefined : [...state, hash];
    } catch {
      return undefined;
    }
  }

  #packagesOf(directory: string, breathe: () => Promise<void>): Promise<string> {
    const known = this.#packages.get(directory) ?? hashPackages(directory, breathe);
    this.#packages.set(directory, known);
    return known;
  }

  #commitsAndIndex(): Promise<string> {
    this.#commits ??= (async () => {
      const { env, signal } = this.#context;
      const git = gitIn(this.#root, env);
      const call = { signal, timeoutMs: Math.max(1, this.#endAtMs - uptimeMs()) };
      const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
      const parts = await Promise.all([
        git(['rev-parse', '--symbolic-full-name', 'HEAD'], call).catch(() => 'no commit'),
        git(['rev-parse', '--verify', '--quiet', 'HEAD'], call).catch(() => 'no commit'),
        git(['for-each-ref', '--format=%(objectname) %(refname)', ...refs], call),
        git(['ls-files', '--stage', '-z', '--', ':/'], call),
      ]);
      return sha256().update(JSON.stringify(parts)).digest('hex');
    })();
    return this.#commits;
  }
}
