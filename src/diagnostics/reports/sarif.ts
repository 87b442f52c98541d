import { listAt, numberAt, textAt, valueAt } from './json-values.ts';
import type { ReportedFailure } from './types.ts';

/** SARIF 2.1.0 (docs.oasis-open.org/sarif). */
export function readSarif(log: unknown): ReportedFailure[] {
  return listAt(log, 'runs').flatMap((run) => [
    ...listAt(run, 'invocations').flatMap((invocation) =>
      ['toolExecutionNotifications', 'toolConfigurationNotifications'].flatMap((key) =>
        listAt(invocation, key)
          .filter(isError)
          .map((notification) => failureOf(notification, undefined)),
      ),
    ),
    ...resultsOf(run),
  ]);
}

function resultsOf(run: unknown): ReportedFailure[] {
  const rules = listAt(run, 'tool', 'driver', 'rules');
  const byId = new Map(rules.map((rule) => [textAt(rule, 'id'), rule]));
  return listAt(run, 'results').flatMap((result) => resultOf(result, ruleOf(result, rules, byId)) ?? []);
}

function isError(notification: unknown): boolean {
  return textAt(notification, 'level') === 'error';
}

/** The description of a rule, which results name by its index, or by its id. */
function ruleOf(
  result: unknown,
  rules: readonly unknown[],
  byId: ReadonlyMap<string | undefined, unknown>,
): unknown {
  const index = numberAt(result, 'ruleIndex') ?? numberAt(result, 'rule', 'index') ?? -1;
  const id = textAt(result, 'ruleId') ?? textAt(result, 'rule', 'id');
  return rules[index] ?? (id === undefined ? undefined : byId.get(id));
}

/** @returns undefined for a result that is no failure */
function resultOf(result: unknown, rule: unknown): ReportedFailure | undefined {
  const kind = textAt(result, 'kind') ?? 'fail';
  const level = textAt(result, 'level') ?? textAt(rule, 'defaultConfiguration', 'level') ?? 'warning';
  const isSuppressed = listAt(result, 'suppressions').some(
    (suppression) => (textAt(suppression, 'status') ?? 'accepted') === 'accepted',
  );
  const isGone = textAt(result, 'baselineState') === 'absent';
  if (kind !== 'fail' || isSuppressed || isGone) return undefined;
  if (level !== 'error' && level !== 'warning') return undefined;
  return { ...failureOf(result, rule), kind: level };
}

function failureOf(result: unknown, rule: unknown): ReportedFailure {
  const place = valueAt(result, 'locations', 0, 'physicalLocation');
  return {
    kind: 'error',
    file: fileOf(textAt(place, 'artifactLocation', 'uri')),
    line: numberAt(place, 'region', 'startLine'),
    column: numberAt(place, 'region', 'startColumn'),
    rule: textAt(result, 'ruleId') ?? textAt(result, 'rule', 'id') ?? textAt(rule, 'id'),
    message: messageOf(result, rule),
  };
}

/** Its text, or that of the rule, with the arguments in place of `{0}`. */
function messageOf(result: unknown, rule: unknown): string | undefined {
  const message = valueAt(result, 'message');
  const id = textAt(message, 'id');
  const text =
    textAt(message, 'text') ??
    (id === undefined ? undefined : textAt(rule, 'messageStrings', id, 'text')) ??
    textAt(message, 'markdown') ??
    textAt(result, 'exception', 'message') ??
    textAt(rule, 'shortDescription', 'text');
  const values = listAt(message, 'arguments');
  return values.length === 0
    ? text
    : text?.replace(/\{(\d+)\}/g, (sign, index) => String(values[index] ?? sign));
}

function fileOf(uri: string | undefined): string | undefined {
  try {
    return uri === undefined ? undefined : decodeURIComponent(uri.replace(/^file:\/\//, ''));
  } catch {
    return uri;
  }
}
