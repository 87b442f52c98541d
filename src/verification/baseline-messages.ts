import { BASELINE_FILE, countOf, without } from '../gates/known-failures.ts';
import type { RunResult } from '../gates/types.ts';
import type { RunContext } from './types.ts';

/** Git answers in milliseconds. */
const GIT_TIMEOUT_MS = 2000;

/** Prints the committed baseline, nothing if there is none, and fails without a commit. `show` could run a program. */
const COMMITTED = `git rev-parse --verify --quiet HEAD >/dev/null || exit 1; git cat-file blob HEAD:./${BASELINE_FILE} 2>/dev/null; true`;

/** What a person reads about the baseline: which failures are fixed, and which are known without a commit. */
export async function baselineMessages(
  result: RunResult,
  root: string,
  context: RunContext,
): Promise<string[]> {
  const { results } = result;
  if (results.every(({ known, fixed }) => known === undefined && fixed === undefined)) return [];
  const { fixedLines, baselineGrewMessage } = await import('../messages/known-failures.ts');
  const grown = results.some(({ known }) => known !== undefined) ? await uncommitted(root, context) : 0;
  return [
    ...fixedLines(result).map((line) => `ralph-loop: ${line}`),
    ...(grown > 0 ? [baselineGrewMessage(grown)] : []),
  ];
}

/** How many known failures the commit does not know; 0 where that cannot be found out. */
async function uncommitted(root: string, { runCommand, env, signal, deadline }: RunContext): Promise<number> {
  const { uptimeMs } = await import('../base/time.ts');
  const { gitEnvironment } = await import('../checkpoint/git-environment.ts');
  const timeoutMs = Math.min(GIT_TIMEOUT_MS, deadline ? deadline.atMs - uptimeMs() : GIT_TIMEOUT_MS);
  if (timeoutMs <= 0) return 0;
  const { end, output } = await runCommand(
    { command: COMMITTED, cwd: root, env: gitEnvironment(env), secrets: [], timeoutMs, graceMs: 0 },
    { signal },
  );
  if (end.how !== 'exited' || end.exitCode !== 0 || output.omittedBytes > 0) return 0;
  const text = [...output.head, ...output.tail]
    .flatMap(({ stream, text: piece }) => (stream === 'stdout' ? [piece] : []))
    .join('');
  const { parseBaseline, readBaseline } = await import('../config/baseline.ts');
  const { baseline: now } = await readBaseline(root);
  const { baseline: then } = await parseBaseline(text);
  const added = [...now].flatMap(([name, { failures }]) => without(failures, then.get(name)?.failures ?? []));
  return countOf(added);
}
