// Which files may make tests or checks weaker, by their names alone.

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|go|rs|java|groovy|kts?|cs|rb|php)$/i;

const SETTINGS =
  /(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)(?:[Jj]ustfile|Rakefile|Gemfile|Jenkinsfile[^/]*|(?:Docker|Container|Earth)file[^/]*|tox\.ini|phpunit\.xml[^/]*|\.[\w.-]+rc|\.[\w.-]*ignore|brakeman\.ignore|\.env[^/]*|\.flake8|\.rspec|\.simplecov|\.bandit|\.globalconfig)$|\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|conf|xml|neon|gradle|props|targets|runsettings|baseline|rake|just|dockerfile|csproj|fsproj|vbproj|sln|mk|sh|bash|zsh|bat|cmd|ps1|properties|editorconfig|pth|snap|ambr|golden|(?:approved|received|verified|golden)\.[^/]+)$|(?:^|\/)(?:\.husky|\.githooks|bin|tools|scripts?|ci|hack|node_modules\/\.bin)\/[^/]+$|(?:^|\/)[a-z][\w-]*$|(?:baseline|known_failures|xfail)[^/]*\.txt$/i;

/** Lock files and data are large, and decide nothing about checks. */
const IRRELEVANT =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|[^/]*\.min\.js)$/;

/** Whether the contents of a file are compared. */
export function isCompared(path: string): boolean {
  return (CODE.test(path) || SETTINGS.test(path)) && !IRRELEVANT.test(path);
}

/** Code that configures a tool, or is named like one. */
const AROUND_TESTS =
  /config|rc\.|(?:spec|test|rails)_helper\.rb$|vitest\.workspace|\.conf\.|\.gradle|ralph-(?:hook|loop)|conftest|noxfile|sitecustomize|usercustomize|(?:^|\/)(?:karma|jest|vitest|pytest|_pytest|pluggy|hypothesis|unittest|chai|mocha|node_modules|vendor)\b/i;

/** Whether a file may configure a check, or stand in for a tool. */
export function isConfig(path: string): boolean {
  return isCompared(path) && (!CODE.test(path) || AROUND_TESTS.test(path));
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Folders of tests, as the runners of all languages find them. */
const TEST_FOLDERS = words('__tests__ __snapshots__ __mocks__ test tests spec specs e2e testdata');

/** Words in the names of tests, of what they share, and of snapshots. */
const TEST_WORDS = words('test tests spec specs cy e2e conftest snap ambr approved received golden feature');

/** Words in the names of what configures runners, type checkers, linters, build tools, CI and gates. */
const CHECK_WORDS = words(
  'package deno biome nx project turbo tsconfig jsconfig codecov detekt worktree pipelines taskfile makefile gnumakefile justfile rakefile jenkinsfile noxfile setup pom phpunit psalm checkstyle pmd toml ini cfg neon gradle csproj fsproj vbproj props targets runsettings mk',
);

/**
 * Whether a file holds tests or configures a check, by its name alone: the hook calls this after every edit, and a long
 * pattern takes longer to compile than all the rest. Tests within a source file have no name of their own.
 *
 * @param path of a file of the project, relative to it
 */
export function isJudged(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const [first = '', ...others] = name.split(/[._-]/);
  const isTest =
    folders.some((folder) => TEST_FOLDERS.has(folder)) ||
    [first, ...others].some((word) => TEST_WORDS.has(word)) ||
    /[a-z\d](?:Tests?|TestCase|Spec|IT)$/.test(first);
  const isCheck =
    [...folders, name].some((part) => part.startsWith('.')) ||
    [first, ...others].some((word) => CHECK_WORDS.has(word.toLowerCase())) ||
    others.includes('config');
  return (isTest || isCheck) && isCompared(path);
}
