import type { Finding, ProjectChange } from '../types.ts';
import { type ChangedSource, changedSources } from './changed-source.ts';
import { findEqualities, findExits } from './overrides.ts';
import { findSuppressions } from './suppressions.ts';
import { findKnownInputs, findTestQuestions } from './test-environment.ts';
import { findTypeEscapes } from './type-escapes.ts';

/** The rules about sources, whatever they are: tests too. */
const SOURCE_DETECTORS: readonly ((
  sources: readonly ChangedSource[],
  change: ProjectChange,
) => readonly Finding[])[] = [
  findSuppressions,
  findTypeEscapes,
  findTestQuestions,
  findKnownInputs,
  findEqualities,
  findExits,
];

/** Finds what in the code of a change hides errors, or makes tests pass without being right. */
export function findWeakenedSource(change: ProjectChange): Finding[] {
  const sources = changedSources(change);
  return SOURCE_DETECTORS.flatMap((find) => find(sources, change));
}
