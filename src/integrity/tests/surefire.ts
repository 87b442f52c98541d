/** Builds that collect classes of any name, or have a list of their own. */
const BUILDS = [
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'build.sbt',
  'build.xml',
  'BUILD',
  'BUILD.bazel',
];

/**
 * Returns why Maven runs no class of a file: Surefire and Failsafe run classes by their names, unless the project lists
 * others. Undefined if they do, or another tool builds the project.
 *
 * @param read the text of a file of the project
 */
export function surefireReason(path: string, read: (path: string) => string | undefined): string | undefined {
  const parts = path.split('/');
  const name = (parts.pop() ?? '').replace(/\.java$/, '');
  if (/^(?:Test|IT)|(?:Tests?|TestCase|IT|ITCase)$/.test(name)) return undefined;
  for (let depth = parts.length; depth >= 0; depth--) {
    const directory = parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join('');
    if (BUILDS.some((build) => read(directory + build) !== undefined)) return undefined;
    if (read(`${directory}pom.xml`)?.includes('<include>')) return undefined;
  }
  return `Surefire runs no class of the name ${name}`;
}
