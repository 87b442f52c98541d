import { count, duration, oneLine } from '../base/text.ts';
import type { Finding } from '../integrity/types.ts';
import { placeOf } from '../messages/integrity.ts';
import { knownFailures } from '../messages/known-failures.ts';
import { codeSpan } from '../messages/markdown.ts';
import type { Paint } from '../messages/paint.ts';
import type { RecordedGate } from '../state/last-run.ts';
import type { Receipt } from './receipt.ts';

const COLOURS = { PASS: 'green', FAIL: 'red', STALE: 'yellow', NONE: 'yellow' } as const;
const SHORT = 12;

type Code = (text: string) => string;

/** A receipt for a terminal. */
export function receiptText(receipt: Receipt, paint: Paint): string[] {
  const { status, reason } = receipt;
  return [
    `${paint(COLOURS[status], paint('bold', status))}  ${oneLine(reason, 300)}`,
    ...linesOf(receipt, (text) => oneLine(text, 300)).map((line) => `  ${line}`),
  ];
}

/** A receipt as Markdown, in which every text of the project is in code. */
export function receiptMarkdown(receipt: Receipt): string[] {
  const { status, reason } = receipt;
  const lines = linesOf(receipt, (text) => codeSpan(text, 300));
  return [`**ralph-loop: ${status}** ${codeSpan(reason, 300)}`, '', ...lines.map((line) => `- ${line}`)];
}

function linesOf({ commit, uncommitted, tree, run, weakened, escalated }: Receipt, code: Code): string[] {
  const changed = uncommitted
    ? `, and ${count(uncommitted, 'file')} that ${uncommitted === 1 ? 'is' : 'are'} not committed`
    : '';
  return [
    ...(commit === null ? [] : [`commit ${code(commit.slice(0, SHORT))}${changed}`]),
    ...(tree === null ? [] : [`files ${code(tree.slice(0, SHORT))}`]),
    ...(run
      ? [
          `run at ${run.at}${run.tree !== null && run.tree !== tree ? `, of files ${code(run.tree.slice(0, SHORT))}` : ''}`,
        ]
      : []),
    ...(run?.gates ?? []).map((gate) => gateLine(gate, code)),
    ...weakened.map((finding) => `weakened: ${findingLine(finding, code)}`),
    ...(escalated
      ? [
          `escalated: ${escalated.gate === undefined ? '' : `${code(escalated.gate)}: `}${code(escalated.reason)}`,
        ]
      : []),
    ...(run ? [`signature ${code(run.signature.slice(0, SHORT))}`] : []),
  ];
}

function gateLine(
  { name, outcome, duration_ms: ms, reused, known, flaky, blocking }: Omit<RecordedGate, 'key'>,
  code: Code,
): string {
  const notes = [
    outcome === 'unaffected' ? 'not affected' : outcome,
    ...(ms > 0 ? [duration(ms)] : []),
    ...(reused === undefined ? [] : [`reused from ${reused}`]),
    ...(known === undefined ? [] : [knownFailures(known)]),
    ...(flaky === undefined ? [] : [`flaky: failed ${count(flaky, 'time')} before it passed`]),
    ...(blocking ? [] : ['does not block']),
  ];
  return `gate ${code(oneLine(name, 80))}: ${notes.join(', ')}`;
}

function findingLine(finding: Finding, code: Code): string {
  const { severity, message, allowed } = finding;
  const state =
    allowed === undefined ? (severity === 'high' ? 'open' : 'reported') : `allowed: ${code(allowed)}`;
  return `${code(placeOf(finding))} ${code(message)} (${state})`;
}
