import { oneLine } from '../../base/text.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';

// A test gets a tag, and the project's configuration leaves out the tests that have it.

const TAG =
  /@[Tt]ag\("([\w-]+)"\)|@pytest\.mark\.([a-z]\w*)|@Category\((?:\w+\.)?(\w+)\.class\)|\[(?:Category|TestCategory|Trait)\((?:"Category", )?"([\w-]+)"\)|@group ([\w-]+)|#\[Group\('([\w-]+)'\)\]|\b(?:it|describe|context|test) .*[,(] :([a-z]\w*)\b|tag: ?\[?["'`](@?[\w-]+)["'`]/g;

/** Where projects say which tags they leave out. */
const CONFIGURATIONS =
  'pytest.ini pyproject.toml setup.cfg tox.ini build.gradle build.gradle.kts pom.xml phpunit.xml phpunit.xml.dist .rspec spec/spec_helper.rb package.json playwright.config.ts Makefile'.split(
    ' ',
  );

/** Finds tags that a change gives to tests that were there, in files of tests, and that the project leaves out. */
export function findExcludedTags(changes: readonly FileChange[], read: ProjectChange['read']): Finding[] {
  const tagged = changes.filter(({ before }) => before !== undefined).flatMap(newTags);
  if (tagged.length === 0) return [];
  const configurations = CONFIGURATIONS.flatMap((path) => read(path) ?? []);
  return tagged
    .filter(({ tag }) => configurations.some((text) => leavesOut(text, tag)))
    .map(({ path, line, tag }) => ({
      rule: 'test-skipped',
      severity: 'high',
      path,
      line,
      message: `tests have the tag \`${oneLine(tag, 60)}\` now, which the configuration leaves out`,
    }));
}

/** The tags that more lines of a file have than before, without new tests. */
function newTags({
  path,
  before = '',
  after = '',
}: FileChange): { path: string; tag: string; line: number }[] {
  const tagsOf = (text: string) =>
    [...text.matchAll(TAG)].map((match) => ({ tag: match.slice(1).find(Boolean) ?? '', index: match.index }));
  const known = tagsOf(before).map(({ tag }) => tag);
  // A new test may have any tag.
  const lines = (text: string) => text.split('\n').length;
  const found = tagsOf(after).filter(({ tag }) => !known.includes(tag));
  return lines(after) - lines(before) > found.length * 2
    ? []
    : found.map(({ tag, index }) => ({ path, tag, line: lines(after.slice(0, index)) }));
}

/** `-m "not slow"`, `excludeTags 'slow'`, `<excludedGroups>slow`, `--tag ~slow`, `--exclude-group slow`. */
function leavesOut(text: string, tag: string): boolean {
  const name = tag.replace(/^@/, '');
  return new RegExp(
    `(?:not |~|exclude\\w*\\W{1,20}|filter_run_excluding \\W{0,5}|(?:exclude|grep)-?\\w+[ =]["']?@?|<group>)${name}\\b`,
    'i',
  ).test(text);
}
