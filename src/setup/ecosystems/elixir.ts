import { firstSeen } from '../first-seen.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';

/** What mix brings along, and Credo where it is a dependency. */
export function elixirGates(project: ProjectFacts): Candidate[] {
  const mix = project.first('mix.exs');
  const credo = /\{\s*:credo\b/.test(project.text('mix.exs')) ? 'credo in mix.exs' : undefined;
  return [
    ...firstSeen('format', ['mix format --check-formatted', mix && project.first('.formatter.exs')]),
    ...firstSeen('lint', ['mix credo', credo]),
    ...firstSeen('test', ['mix test', mix]),
  ];
}
