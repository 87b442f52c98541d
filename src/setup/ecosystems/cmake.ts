import { posix } from 'node:path';
import type { Candidate } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** The first build compiles everything. */
const BUILD_SECONDS = 600;

/** The usual names of build directories. */
const BUILD_DIRECTORIES = ['build', 'out', 'cmake-build-debug', 'cmake-build-release'];

/** Configures and builds in the project's build directory, and runs CTest if there are tests. */
export function cmakeGates(project: ProjectFacts): Candidate[] {
  const why = project.first('CMakeLists.txt');
  if (why === undefined) return [];
  const used = project.first(...BUILD_DIRECTORIES.map((name) => `${name}/CMakeCache.txt`));
  const directory = used === undefined ? 'build' : posix.dirname(used);
  const build = `cmake --build ${directory}`;
  const hasTests = /^\s*(enable_testing|include)\s*\(\s*(CTest\s*)?\)/im.test(project.text(why));
  return [
    // Before the tests, which need its output.
    {
      kind: 'typecheck',
      name: 'build',
      run: `cmake -S . -B ${directory} && ${build}`,
      why,
      timeoutSeconds: BUILD_SECONDS,
      exclusive: true,
    },
    ...(hasTests
      ? [
          {
            kind: 'test',
            // Alone, ctest would test what was built before.
            run: `${build} && ctest --test-dir ${directory} --output-on-failure`,
            why: `tests in ${why}`,
            timeoutSeconds: BUILD_SECONDS,
          } as const,
        ]
      : []),
  ];
}
