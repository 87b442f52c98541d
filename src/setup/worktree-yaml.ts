import { Document } from 'yaml';
import type { ProposedGate } from './proposed-gate.ts';

const SCHEMA = ' yaml-language-server: $schema=./node_modules/ralph-loop/schema/worktree.json';
const HEADER = ` The gates that must hold before a coding agent may stop, cheap ones first.
 \`ralph-loop verify\` runs them now, \`ralph-loop verify <name>\` one of them.`;

/**
 * The `worktree.yaml` of these gates. Each has its name, by which it is known in what agents and people read; a command
 * that goes by itself stands alone.
 *
 * @param options.withSchema whether editors are told the schema of the package that the project has installed
 */
export function worktreeYaml(
  gates: readonly Pick<ProposedGate, 'name' | 'run' | 'timeoutSeconds'>[],
  { withSchema = false }: { readonly withSchema?: boolean } = {},
): string {
  const verify = gates.map(({ name, run, timeoutSeconds }) =>
    name === run && timeoutSeconds === undefined
      ? run
      : { name, run, ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }) },
  );
  const document = new Document({ verify });
  document.commentBefore = withSchema ? `${SCHEMA}\n${HEADER}` : HEADER;
  // A command stays on its line, however long it is.
  return document.toString({ lineWidth: 0 });
}
