import { rmSync } from 'node:fs';
import { realPathOf, upwards } from '../../base/files.ts';
import { count } from '../../base/text.ts';
import { uptimeMs } from '../../base/time.ts';
import { type ProjectFiles, readCurrentTask, rootAround } from '../../config/discover.ts';
import { stopNow } from '../../hook/protect-gates.ts';
import { newRecord } from '../../hook/session-start.ts';
import { findWeakenedAtStop } from '../../hook/weakened.ts';
import { findingText } from '../../messages/integrity.ts';
import { refusedText } from '../../messages/protected-gates.ts';
import { readCaller } from '../../process/caller.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskTexts } from '../../process/secrets/masker.ts';
import { removeGuard } from '../../state/guarded-session.ts';
import { leaveNotice } from '../../state/notices.ts';
import { type KeptRecord, readRecords, writeRecord } from '../../verification/session-record.ts';
import { logCommand } from '../record-command.ts';
import { EXIT, fail, print, warn } from '../terminal.ts';

const COMMAND = 'accept';
/** For the comparison of one session's files. */
const MAX_SECONDS = 60;

/**
 * `ralph-loop accept`: the sessions of the project are judged by its gates, and compared with its tests, as they are now.
 * Only a person may accept.
 *
 * @returns the exit code: 0 done, or nothing to do; 1 refused, or it cannot be recorded
 */
export async function accept(): Promise<number> {
  const cwd = realPathOf(process.cwd());
  const caller = readCaller(process.env);
  const { root, records } = await recordsAround(cwd);
  if (!caller.isPerson) {
    await logCommand(root, `${COMMAND} refused`, caller);
    leaveNotice(root, `ralph-loop: ${refusedText(COMMAND, caller.by)}`);
    return fail([
      `${refusedText(COMMAND, caller.by)}.`,
      'A person accepts changed gates in a terminal. Restore what judges your work.',
    ]);
  }
  if (records.length === 0) {
    print('Nothing to accept: no session of this project is recorded.');
    return EXIT.ok;
  }
  const lines = new Set<string>();
  const compared = [];
  for (const kept of records) {
    const { stop, isGone } = await stopNow(kept.record, kept.isGate);
    const { findings, messages } = await findWeakenedAtStop(stop, {
      env: process.env,
      signal: new AbortController().signal,
      deadline: { seconds: MAX_SECONDS, atMs: uptimeMs() + MAX_SECONDS * 1000 },
    });
    for (const message of messages) warn(message);
    for (const finding of findings) lines.add(`${finding.severity.padEnd(6)} ${findingText(finding)}`);
    compared.push({ ...kept, present: isGone ? undefined : stop.project });
  }
  // What guarded the sessions before is no longer missed.
  for (const { record } of records) await removeGuard(record.session, root);
  let unwritten = 0;
  for (const kept of compared) if (!(await renew(kept))) unwritten++;
  for (const line of maskTexts([...lines], secretsIn(process.env))) print(line);
  await logCommand(root, COMMAND, caller);
  if (unwritten > 0) return fail(`The record of ${count(unwritten, 'session')} cannot be written.`);
  print(
    lines.size > 0
      ? `Accepted for ${count(records.length, 'session')}: gates, tests and checks are judged as they are now.`
      : 'Nothing to accept: nothing is weaker than when the session began.',
  );
  return EXIT.ok;
}

/** The records of the nearest directory that has any: a project may have no config any more. */
async function recordsAround(cwd: string): Promise<{ root: string; records: readonly KeptRecord[] }> {
  for (const root of upwards(cwd)) {
    const records = await readRecords(root);
    if (records.length > 0) return { root, records };
  }
  return { root: rootAround(cwd) ?? cwd, records: [] };
}

/** @returns whether the session begins anew; without a config there is nothing to begin with */
async function renew({
  record: { session, places },
  isGate,
  path,
  present: project,
}: KeptRecord & { readonly present: ProjectFiles | undefined }): Promise<boolean> {
  if (project) {
    const task = readCurrentTask(project.root);
    return writeRecord(
      await newRecord({ session, project, task, isGate, places }, process.env, new Date()),
      isGate,
    );
  }
  rmSync(path, { force: true });
  return true;
}
