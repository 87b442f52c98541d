import { posix } from 'node:path';
import { affectedNote, type Candidate, type Choice, firstUsed, type Note } from '../candidates.ts';
import { isTable, stringsIn, type Table, tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

const RUFF_FORMAT_SECTION = /^\[(tool\.ruff\.)?format\]/m;
const RUFF_FILES = ['ruff.toml', '.ruff.toml', 'pyproject.toml'];
/** `ruff format`, `"ruff", "format"`, and pre-commit's `ruff-format`. */
const RUFF_FORMAT_COMMAND = /\bruff["', -]+format\b/;
const FILES_WITH_COMMANDS = ['.pre-commit-config.yaml', 'Makefile', 'justfile', 'tox.ini', 'noxfile.py'];

/** The tools that a Python project uses. */
export function pythonGates(project: ProjectFacts): (Candidate | Note)[] {
  const tool = (command: string, evidence: string | undefined): Choice => [
    inEnvironment(command, project),
    evidence,
  ];
  return [
    ...firstUsed(
      'format',
      tool('ruff format --check .', ruffFormat(project)),
      tool('black --check .', evidenceOf('black', project)),
    ),
    ...firstUsed(
      'lint',
      tool('ruff check .', evidenceOf('ruff', project)),
      tool('flake8', evidenceOf('flake8', project)),
    ),
    ...firstUsed(
      'typecheck',
      tool(mypyCommand(project), evidenceOf('mypy', project)),
      tool('basedpyright', evidenceOf('basedpyright', project)),
      tool('pyright', evidenceOf('pyright', project)),
      tool('ty check', evidenceOf('ty', project)),
    ),
    ...firstUsed(
      'test',
      tool('pytest -q', evidenceOf('pytest', project)),
      tool('python manage.py test', project.first('manage.py')),
      ['tox', toxFile(project)],
      ['nox', project.first('noxfile.py')],
      tool('pytest -q', testFile(project)),
    ),
    ...(requirementFile('pytest-testmon', project) === undefined
      ? []
      : [affectedNote(inEnvironment('pytest -q --testmon', project))]),
  ];
}

/** A project with ruff may use only its linter: some file must mention the formatter. */
function ruffFormat(project: ProjectFacts): string | undefined {
  const path = [...RUFF_FILES, ...FILES_WITH_COMMANDS].find((file) => {
    const section = RUFF_FILES.includes(file) ? RUFF_FORMAT_SECTION : RUFF_FORMAT_COMMAND;
    return section.test(project.text(file));
  });
  return path && `ruff format in ${path}`;
}

/** mypy needs the files to check, on the command line or in its configuration. */
function mypyCommand(project: ProjectFacts): string {
  const { files, packages, modules } = tableAt(project.data('pyproject.toml'), 'tool', 'mypy');
  const inIni = ['mypy.ini', '.mypy.ini', 'setup.cfg'].some((path) =>
    /^\[mypy\][^[]*^(files|packages|modules)\s*=/m.test(project.text(path)),
  );
  return files || packages || modules || inIni ? 'mypy' : 'mypy .';
}

function toxFile(project: ProjectFacts): string | undefined {
  // Other tools have sections in tox.ini too.
  return /^\[(tox|testenv)/m.test(project.text('tox.ini')) ? 'tox.ini' : project.first('tox.toml');
}

/** Weak evidence of pytest: another program can run such a file too. */
function testFile(project: ProjectFacts): string | undefined {
  const paths = ['tests', 'test', '.'].flatMap((directory) =>
    project.list(directory).map((name) => posix.join(directory, name)),
  );
  return paths.find((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path));
}

/** All hooks of pre-commit. A hook that fixes a file fails once. */
export function preCommitGates(project: ProjectFacts): Candidate[] {
  const why = project.first('.pre-commit-config.yaml');
  if (why === undefined) return [];
  return [
    {
      kind: 'lint',
      name: 'pre-commit',
      run: inEnvironment('pre-commit run --all-files', project),
      why,
      // Many hooks fix the files that they check.
      exclusive: true,
    },
  ];
}

/** Files that no other tool reads. */
const OWN_FILES = {
  ruff: ['ruff.toml', '.ruff.toml'],
  black: [],
  flake8: ['.flake8'],
  mypy: ['mypy.ini', '.mypy.ini'],
  pyright: ['pyrightconfig.json'],
  basedpyright: [],
  ty: ['ty.toml'],
  pytest: ['pytest.ini', '.pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'],
} as const;

/** What shows that the project uses a tool, for the person; undefined if nothing does. */
function evidenceOf(name: keyof typeof OWN_FILES, project: ProjectFacts): string | undefined {
  const file = project.first(...OWN_FILES[name]);
  if (file !== undefined) return file;
  if (Object.hasOwn(tableAt(project.data('pyproject.toml'), 'tool'), name))
    return `[tool.${name}] in pyproject.toml`;
  // [tool:pytest] in setup.cfg, [pytest] in tox.ini
  const section = new RegExp(`^\\[(tool:)?${name}\\]`, 'm');
  const ini = ['setup.cfg', 'tox.ini'].find((path) => section.test(project.text(path)));
  if (ini !== undefined) return `${name} in ${ini}`;
  const requirements = requirementFile(name, project);
  return requirements && `${name} in ${requirements}`;
}

/** Files with requirements as lines or as strings. */
const REQUIREMENT_FILES = /^(.*requirements.*\.(txt|in)|Pipfile|setup\.(py|cfg))$/;

/** The file in which the project requires a package, in any group or environment. */
function requirementFile(name: string, project: ProjectFacts): string | undefined {
  if (requirementsIn(project.data('pyproject.toml')).has(name)) return 'pyproject.toml';
  const line = new RegExp(`^[\\s"']*${name}\\b(?![-.])`, 'im');
  return project.list('.').find((file) => REQUIREMENT_FILES.test(file) && line.test(project.text(file)));
}

/** All names below keys that contain `dependenc`, of any tool: strings of lists, and keys of tables. */
function requirementsIn(table: Table): Set<string> {
  const found = Object.entries(table).flatMap(([key, value]) =>
    key.includes('dependenc') ? packageNames(value) : isTable(value) ? [...requirementsIn(value)] : [],
  );
  return new Set(found);
}

/** The package names in a list or a table of requirements. */
function packageNames(value: unknown): string[] {
  if (typeof value === 'string') return [/^[\w.-]*/.exec(value.trim())?.[0].toLowerCase() ?? ''];
  if (Array.isArray(value)) return value.flatMap(packageNames);
  // `{ pytest = "^8" }`, and groups of them: `{ dev = ["pytest"] }`
  return isTable(value)
    ? Object.entries(value).flatMap(([key, inner]) => [key.toLowerCase(), ...packageNames(inner)])
    : [];
}

/** The environment managers besides uv, and how they run a program. */
const MANAGERS: readonly [isUsed: (project: ProjectFacts) => boolean, prefix: string][] = [
  [(project) => project.has('poetry.lock') || hasTool('poetry', project), 'poetry run'],
  [(project) => project.has('pdm.lock'), 'pdm run'],
  [(project) => project.has('Pipfile'), 'pipenv run'],
  [(project) => project.has('pixi.lock', 'pixi.toml'), 'pixi run'],
  [(project) => valueAt(project.data('pyproject.toml'), 'tool', 'hatch', 'envs') !== undefined, 'hatch run'],
];

/** Programs that do not need the project's packages, and are often installed once for all projects. */
const STAND_ALONE = ['ruff', 'black', 'flake8', 'pyright', 'basedpyright', 'ty', 'pre-commit'];

const VENVS = ['.venv', 'venv'];

/** A Python program's command, run in the project's environment. */
function inEnvironment(command: string, project: ProjectFacts): string {
  const [program = ''] = command.split(' ');
  const prefix =
    project.has('uv.lock') || hasTool('uv', project)
      ? uvRun(program, project)
      : MANAGERS.find(([isUsed]) => isUsed(project))?.[1];
  if (prefix !== undefined) {
    const isGlobal = STAND_ALONE.includes(program) && requirementFile(program, project) === undefined;
    return isGlobal ? command : `${prefix} ${command}`;
  }
  const venv = VENVS.find((directory) => project.has(`${directory}/bin/${program}`));
  if (venv === undefined) return command;
  // With `-m`, Python finds modules at the root, and a virtual environment that was moved works.
  const module = program.replace('-', '_');
  return `${venv}/bin/${program === 'python' ? command : `python -m ${command.replace(program, module)}`}`;
}

function hasTool(name: string, project: ProjectFacts): boolean {
  return Object.hasOwn(tableAt(project.data('pyproject.toml'), 'tool'), name);
}

/** `uv run`, with the group or the extra that has the program if uv does not install it by default. */
function uvRun(program: string, project: ProjectFacts): string {
  const pyproject = project.data('pyproject.toml');
  const groups = tableAt(pyproject, 'dependency-groups');
  const defaults = valueAt(pyproject, 'tool', 'uv', 'default-groups') ?? ['dev'];
  const inGroups = Object.keys(groups).filter((name) => requiredIn(groups, name).includes(program));
  if (inGroups.length > 0) {
    const isDefault = defaults === 'all' || inGroups.some((name) => stringsIn(defaults).includes(name));
    return isDefault ? 'uv run' : `uv run --group ${inGroups[0]}`;
  }
  const extras = Object.entries(tableAt(pyproject, 'project', 'optional-dependencies'));
  const extra = extras.find(([, requirements]) => packageNames(requirements).includes(program))?.[0];
  return extra === undefined ? 'uv run' : `uv run --extra ${extra}`;
}

/** The packages of a group and of the groups that it includes; groups may include each other. */
function requiredIn(groups: Readonly<Record<string, unknown>>, name: string): string[] {
  const pending = [name];
  for (const group of pending) {
    const items = Array.isArray(groups[group]) ? groups[group] : [];
    const included = stringsIn(items.map((item) => valueAt(item, 'include-group')));
    pending.push(...included.filter((other) => !pending.includes(other)));
  }
  return pending.flatMap((group) => packageNames(groups[group]));
}
