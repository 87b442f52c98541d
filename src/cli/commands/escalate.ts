import { escalatedText } from '../../messages/escalation.ts';
import { readCaller } from '../../process/caller.ts';
import { escalationOf } from '../../state/escalations.ts';
import { escalate as record } from '../../verification/escalate.ts';
import { logCommand } from '../record-command.ts';
import { EXIT, fail, print } from '../terminal.ts';

/**
 * `ralph-loop escalate`: says that a gate is wrong or cannot be satisfied. The next stop is allowed, and is no pass.
 *
 * @returns the exit code: 0 recorded, 2 refused
 */
export async function escalate(reason: string, { gate }: { readonly gate?: string }): Promise<number> {
  const caller = readCaller(process.env);
  const context = { env: process.env, now: new Date() };
  const recorded = await record(process.cwd(), { gate, reason, by: caller.by }, context);
  if (!recorded.ok) return fail(recorded.failure.message, EXIT.usage);
  const { root, escalation } = recorded.value;
  await logCommand(root, 'escalate', caller, {
    session: escalation.session,
    escalated: escalationOf(escalation),
  });
  print(escalatedText(escalation));
  return EXIT.ok;
}
