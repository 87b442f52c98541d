import { type Candidate, firstUsed } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** mix's own checks, and Credo if it is a dependency. */
export function elixirGates(project: ProjectFacts): Candidate[] {
  const mix = project.first('mix.exs');
  const credo = /\{\s*:credo\b/.test(project.text('mix.exs')) ? 'credo in mix.exs' : undefined;
  return [
    ...firstUsed('format', ['mix format --check-formatted', mix && project.first('.formatter.exs')]),
    ...firstUsed('lint', ['mix credo', credo]),
    ...firstUsed('test', ['mix test', mix]),
  ];
}
