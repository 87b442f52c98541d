/** One call of a hook, as the client's `--include-hook-events` stream reports it. */
export interface HookRun {
  readonly event: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly outcome: string;
}

type StreamEvent = Readonly<Record<string, unknown>>;

/** @param stream the client's stdout, a JSON document a line */
export function readHookRuns(stream: string): HookRun[] {
  return stream
    .split('\n')
    .filter((line) => line !== '')
    .map((line): StreamEvent => JSON.parse(line))
    .filter(({ subtype }) => subtype === 'hook_response')
    .map((event) => ({
      event: String(event.hook_event),
      stdout: String(event.stdout),
      stderr: String(event.stderr),
      exitCode: Number(event.exit_code),
      outcome: String(event.outcome),
    }));
}

/**
 * All that the client held against a hook. Neither record is enough alone: the stream calls an answer that it could not
 * parse a success, and the debug log may say nothing of a hook that timed out or failed without a word.
 */
export function hookComplaints(runs: readonly HookRun[], debugLog: string): string[] {
  const logged = /Hook JSON output validation failed|Hook \S+ \([^)]*\) error/;
  const failed = runs.filter(
    ({ exitCode, outcome, stderr }) => exitCode !== 0 || outcome !== 'success' || stderr,
  );
  return [
    ...debugLog.split('\n').filter((line) => logged.test(line)),
    // Asked of the answer itself, because each release words it differently, and exempts plain text.
    ...runs
      .filter(({ stdout }) => !isAnswer(stdout))
      .map(({ stdout }) => `no JSON object on stdout: ${stdout}`),
    ...failed.map(({ outcome, exitCode, stderr }) => `${outcome}, exit code ${exitCode}: ${stderr}`),
  ];
}

function isAnswer(stdout: string): boolean {
  if (stdout === '') return true;
  try {
    const answer: unknown = JSON.parse(stdout);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  } catch {
    return false;
  }
}
