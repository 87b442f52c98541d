import { count } from '../base/text.ts';
import { uptimeMs } from '../base/time.ts';
import { encodePath } from '../checkpoint/paths.ts';
import type { ProjectFiles } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { writeEditNote } from '../hosts/format.ts';
import type { EditEvent } from '../hosts/types.ts';
import { findWeakened } from '../integrity/find.ts';
import type { Finding } from '../integrity/types.ts';
import { editNote } from '../messages/integrity.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import type { LogRecord } from '../state/execution-log.ts';
import { newFindings } from '../state/noted-findings.ts';
import { checkIntegrity } from '../verification/check-integrity.ts';
import { readRecord } from '../verification/session-record.ts';
import { changesIn, type TreeBase } from '../verification/tree-base.ts';
import type { JudgedEdit } from './triage.ts';

/** The agent waits for the note. Without one, its stop is judged all the same. */
const GIT_MS = 3000;

export interface AnsweredEdit {
  /** Empty if there is nothing to say. */
  readonly stdout: string;
  /** The line of the execution log, if there is something to say. */
  readonly record?: LogRecord;
}

/**
 * Compares edited files with the base, and notes what became weaker in them: once for each finding, as long as it stays. A
 * file that is gone is not noted, because its tests may come back elsewhere before the stop.
 */
export async function handleEdit(
  event: EditEvent,
  { project, task, paths }: JudgedEdit,
  { env, now }: { readonly env: NodeJS.ProcessEnv; readonly now: Date },
): Promise<AnsweredEdit> {
  const { root } = project;
  const { settings } = await readProject(project, task);
  if (settings.integrity === 'off' && settings.integrityRules === undefined) return { stdout: '' };
  const record = await readRecord({ root, session: event.sessionId, isGate: false });
  const base = record?.base ?? { commit: 'HEAD', files: {} };
  const found = await findInFiles(project, paths, { base, settings, env });
  const added = await newFindings(root, event.sessionId, paths, found);
  if (added.length === 0) return { stdout: '' };
  const findings = maskTexts(added, secretsIn(env));
  return { stdout: writeEditNote(event, editNote(findings)), record: recordOf(event, findings, now) };
}

/**
 * The findings in a few files. What these files alone make look weaker is compared again with everything that changed: a
 * test may be in another file already, and an expected value may follow the code.
 */
async function findInFiles(
  { root, layout }: ProjectFiles,
  paths: readonly string[],
  { base, settings, env }: { base: TreeBase; settings: Settings; env: NodeJS.ProcessEnv },
): Promise<Finding[]> {
  const limits = { env, endAt: uptimeMs() + GIT_MS };
  const edited = await changesIn(root, base, paths.map(encodePath), limits);
  if (!edited.ok) return [];
  const present = edited.value.changes.filter(({ after }) => after !== undefined).map(({ path }) => path);
  const inPresent = (findings: readonly Finding[]) =>
    findings.filter(({ path, severity }) => severity !== 'low' && present.includes(path));
  if (inPresent(await findWeakened(edited.value, settings)).length === 0) return [];
  const all = await checkIntegrity(root, base, { layout, settings }, limits);
  return all.ok ? inPresent(all.value.findings) : [];
}

function recordOf({ host, sessionId }: EditEvent, findings: readonly Finding[], now: Date): LogRecord {
  return {
    time: now.toISOString(),
    host,
    session: sessionId ?? null,
    agent: null,
    task: null,
    iteration: null,
    max: null,
    gates: [],
    answer: 'ignore',
    why: `noted after an edit: ${count(findings.length, 'finding')}`,
    findings,
  };
}
