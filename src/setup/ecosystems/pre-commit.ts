import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';
import { inEnvironment } from '../python/environment.ts';

/** All hooks of pre-commit. What some of them repair makes it fail once. */
export function preCommitGates(project: ProjectFacts): Candidate[] {
  const why = project.first('.pre-commit-config.yaml');
  if (why === undefined) return [];
  return [
    { kind: 'lint', name: 'pre-commit', run: inEnvironment('pre-commit run --all-files', project), why },
  ];
}
