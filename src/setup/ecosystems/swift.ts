import type { Candidate } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** Includes resolving dependencies and compiling. */
const BUILD_SECONDS = 600;

/** SwiftLint if it is configured, and SwiftPM's build and tests. */
export function swiftGates(project: ProjectFacts): Candidate[] {
  const why = project.first('Package.swift');
  if (why === undefined) return [];
  const lint = project.first('.swiftlint.yml');
  const hasTests = project.has('Tests/') || project.text(why).includes('.testTarget(');
  const gates: Candidate[] = [
    // Before the tests, which reuse its output.
    { kind: 'typecheck', name: 'build', run: 'swift build', why, timeoutSeconds: BUILD_SECONDS },
  ];
  if (lint !== undefined) gates.unshift({ kind: 'lint', run: 'swiftlint lint', why: lint });
  if (hasTests) gates.push({ kind: 'test', run: 'swift test', why, timeoutSeconds: BUILD_SECONDS });
  return gates;
}
