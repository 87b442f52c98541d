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

/** Finds tags that a change gives to tests, in files of tests, and that the project leaves out. */
export function findExcludedTags(changes: readonly FileChange[], read: ProjectChange['read']): Finding[] {
  return changes.flatMap(({ path, before = '', after = '' }): Finding[] => {
    const tags = [...after.matchAll(TAG)].map((match) => ({
      match,
      tag: match.slice(1).find(Boolean) ?? '',
    }));
    return tags
      .filter(({ tag, match }) => !before.includes(tag) && isOld(after.slice(match.index), before))
      .filter(({ tag }) => CONFIGURATIONS.some((file) => leavesOut(read(file) ?? '', tag)))
      .map(({ match, tag }) => ({
        rule: 'test-skipped',
        severity: 'medium',
        path,
        line: after.slice(0, match.index).split('\n').length,
        message: `a test has the tag \`${oneLine(tag, 60)}\`, which the configuration leaves out`,
      }));
  });
}

/** Whether what follows a tag was there before: a new test may have any tag. */
function isOld(text: string, before: string): boolean {
  const [, ...lines] = text.split('\n', 4);
  return lines.every((line) => before.includes(line));
}

/** `-m "not slow"`, `excludeTags 'slow'`, `<excludedGroups>slow`, `--tag ~slow`, `--exclude-group slow`. */
function leavesOut(text: string, tag: string): boolean {
  const name = tag.replace(/^@/, '');
  return new RegExp(
    `(?:not |~|exclude\\w*\\W{1,20}|filter_run_excluding \\W{0,5}|(?:exclude|grep)-?\\w+[ =]["']?@?|<group>)${name}\\b`,
    'i',
  ).test(text);
}
