import type { Candidate } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** Includes restoring packages and compiling. */
const BUILD_SECONDS = 600;

/** The solution or the project at the root. `dotnet` needs its name if there are several. */
export function dotnetGates(project: ProjectFacts): Candidate[] {
  const names = project.list('.');
  const solutions = names.filter((name) => /\.slnx?$/.test(name));
  const projects = names.filter((name) => /\.(cs|fs|vb)proj$/.test(name));
  const [why] = [...solutions, ...projects];
  if (why === undefined) return [];
  const isOnlyOne = solutions.length + projects.length === 1;
  const target = isOnlyOne ? '' : ` ${/^[\w.-]+$/.test(why) ? why : `'${why.replaceAll("'", `'\\''`)}'`}`;
  const hasTests = solutions.length > 0 || project.text(why).includes('Microsoft.NET.Test.Sdk');
  // All of them write into obj/, and fail if another one has a file open.
  const shared = { why, timeoutSeconds: BUILD_SECONDS, exclusive: true };
  const gates: Candidate[] = [
    // Before the tests, which reuse its output.
    { kind: 'typecheck', name: 'build', run: `dotnet build${target}`, ...shared },
  ];
  if (project.has('.editorconfig'))
    gates.unshift({
      kind: 'format',
      run: `dotnet format${target} --verify-no-changes`,
      why: `.editorconfig, and ${why}`,
    });
  if (hasTests) gates.push({ kind: 'test', run: `dotnet test${target}`, ...shared });
  return gates;
}
