import type { Candidate } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** Includes starting the daemon, resolving dependencies and compiling. */
const BUILD_SECONDS = 600;

/** Gradle's `check` runs all checks of the build. Maven's `verify` would include tests that need a server. */
export function jvmGates(project: ProjectFacts): Candidate[] {
  const gradle = project.first('build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle');
  const rows: [evidence: string | undefined, run: string, name: string][] = [
    [gradle, `${project.has('gradlew') ? './gradlew' : 'gradle'} check`, 'check'],
    [project.first('pom.xml'), `${project.has('mvnw') ? './mvnw' : 'mvn'} -q test`, 'test'],
    [project.first('build.sbt'), 'sbt test', 'test'],
  ];
  return rows
    .flatMap(([why, run, name]): Candidate[] =>
      why === undefined ? [] : [{ kind: 'test', name, run, why, timeoutSeconds: BUILD_SECONDS }],
    )
    .slice(0, 1);
}
