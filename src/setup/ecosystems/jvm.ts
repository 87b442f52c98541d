import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';

/** Starting the daemon, resolving and compiling come before the first test. */
const COMPILES = 600;

/** Gradle's `check` is all that the build itself checks. Maven's `verify` would also run what needs a server. */
export function jvmGates(project: ProjectFacts): Candidate[] {
  const gradle = project.first('build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle');
  const rows: [seenIn: string | undefined, run: string, name: string][] = [
    [gradle, `${project.has('gradlew') ? './gradlew' : 'gradle'} check`, 'check'],
    [project.first('pom.xml'), `${project.has('mvnw') ? './mvnw' : 'mvn'} -q test`, 'test'],
    [project.first('build.sbt'), 'sbt test', 'test'],
  ];
  return rows
    .flatMap(([why, run, name]): Candidate[] =>
      why === undefined ? [] : [{ kind: 'test', name, run, why, timeoutSeconds: COMPILES }],
    )
    .slice(0, 1);
}
