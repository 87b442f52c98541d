import packageJson from '../../../package.json' with { type: 'json' };
import { sha256 } from '../../base/sha256.ts';
import { withoutVarying } from '../../diagnostics/failures/varying.ts';
import { RULES } from '../../integrity/rules.ts';
import type { CiReport, Problem } from './ci-report.ts';

/**
 * A report as SARIF 2.1.0.
 *
 * @param config path of the gates' config, relative to the repository: the place of a failure that has no other, because
 * code scanning accepts no result without one
 */
export function sarifText({ problems }: CiReport, config: string): string {
  const rules = [...new Set(problems.map(({ rule }) => rule))];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ralph-loop',
            semanticVersion: packageJson.version,
            rules: rules.map((id) => ({ id, shortDescription: { text: descriptionOf(id) } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => resultOf(problem, rules, config)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function descriptionOf(rule: Problem['rule']): string {
  return rule === 'gate-failed' ? 'a gate that failed' : RULES[rule].finds;
}

function resultOf(
  { rule, level, place, title, message, allowed }: Problem,
  rules: readonly string[],
  config: string,
): object {
  const { path, line } = place ?? { path: config };
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level,
    message: { text: rule === 'gate-failed' ? `${title}: ${message}` : message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' },
          ...(line !== undefined && line > 0 && { region: { startLine: line } }),
        },
      },
    ],
    // The same problem is the same in the next run, and after lines were added above it. A message without a place is a
    // whole output.
    partialFingerprints: {
      'ralphLoop/v1': sha256()
        .update(JSON.stringify([rule, path, title, place ? withoutVarying(message) : '']))
        .digest('hex'),
    },
    ...(allowed !== undefined && { suppressions: [{ kind: 'inSource', justification: allowed }] }),
  };
}
