import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';

/** Restoring and compiling come before the first test. */
const COMPILES = 600;

/** The solution at the root, or its project. Where there are several, `dotnet` wants to be told which. */
export function dotnetGates(project: ProjectFacts): Candidate[] {
  const names = project.list('.');
  const solutions = names.filter((name) => /\.slnx?$/.test(name));
  const projects = names.filter((name) => /\.(cs|fs|vb)proj$/.test(name));
  const [why] = [...solutions, ...projects];
  if (why === undefined) return [];
  const isOnlyOne = solutions.length + projects.length === 1;
  const target = isOnlyOne ? '' : ` ${/^[\w.-]+$/.test(why) ? why : `'${why.replaceAll("'", `'\\''`)}'`}`;
  const hasTests = solutions.length > 0 || project.text(why).includes('Microsoft.NET.Test.Sdk');
  const gates: Candidate[] = [
    // It compiles what the tests then use.
    { kind: 'typecheck', name: 'build', run: `dotnet build${target}`, why, timeoutSeconds: COMPILES },
  ];
  if (project.has('.editorconfig'))
    gates.unshift({
      kind: 'format',
      run: `dotnet format${target} --verify-no-changes`,
      why: `.editorconfig, and ${why}`,
    });
  if (hasTests) gates.push({ kind: 'test', run: `dotnet test${target}`, why, timeoutSeconds: COMPILES });
  return gates;
}
