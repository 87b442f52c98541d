import { describe, expect, test } from 'vitest';
import { proposeGates } from '../../../../src/setup/propose-gates.ts';
import { projectDirectory, proposedFor } from '../../../helpers/project-directory.ts';

type Row = [what: string, files: Record<string, string>, gates: string[]];

describe('proposeGates proposes for a Python project', () => {
  test.for<Row>([
    ['nothing without evidence of a tool', { 'pyproject.toml': '[project]\nname = "demo"\n' }, []],
    [
      'ruff, by its section',
      { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' },
      ['lint: ruff check .'],
    ],
    [
      'ruff, by a subsection',
      { 'pyproject.toml': '[tool.ruff.lint]\nselect = ["ALL"]\n' },
      ['lint: ruff check .'],
    ],
    ['ruff, by its file', { 'ruff.toml': '' }, ['lint: ruff check .']],
    [
      'ruff, by the requirements',
      { 'requirements-dev.txt': 'pytest==8.1\nruff\n' },
      ['lint: ruff check .', 'test: pytest -q'],
    ],
    [
      "ruff's formatter, by its section",
      { 'pyproject.toml': '[tool.ruff.format]\nquote-style = "single"\n' },
      ['format: ruff format --check .', 'lint: ruff check .'],
    ],
    [
      "ruff's formatter, by its section in .ruff.toml",
      { '.ruff.toml': '[format]\n' },
      ['format: ruff format --check .', 'lint: ruff check .'],
    ],
    [
      "ruff's formatter, by its section in ruff.toml",
      { 'ruff.toml': '[format]\n' },
      ['format: ruff format --check .', 'lint: ruff check .'],
    ],
    [
      "ruff's formatter, by its pre-commit hook",
      { 'ruff.toml': '', '.pre-commit-config.yaml': 'repos:\n  - hooks:\n      - id: ruff-format\n' },
      ['format: ruff format --check .', 'lint: ruff check .', 'pre-commit: pre-commit run --all-files'],
    ],
    [
      'black and flake8',
      { 'pyproject.toml': '[tool.black]\n', '.flake8': '[flake8]\n' },
      ['format: black --check .', 'lint: flake8'],
    ],
    ['flake8, by a section in tox.ini', { 'tox.ini': '[flake8]\nmax-line-length = 99\n' }, ['lint: flake8']],
    ['no flake8 beside ruff', { 'ruff.toml': '', '.flake8': '' }, ['lint: ruff check .']],
    ['mypy', { 'mypy.ini': '[mypy]\nstrict = true\n' }, ['typecheck: mypy .']],
    [
      'mypy with files in its configuration',
      { 'pyproject.toml': '[tool.mypy]\nfiles = ["src"]\n' },
      ['typecheck: mypy'],
    ],
    ['mypy with files in mypy.ini', { 'mypy.ini': '[mypy]\nfiles = src\n' }, ['typecheck: mypy']],
    ['mypy with modules in .mypy.ini', { '.mypy.ini': '[mypy]\nmodules = demo\n' }, ['typecheck: mypy']],
    [
      'mypy with packages in setup.cfg',
      { 'setup.cfg': '[mypy]\nstrict = true\npackages = demo\n' },
      ['typecheck: mypy'],
    ],
    [
      'mypy for the root if only another section has files',
      { 'setup.cfg': '[mypy]\n[flake8]\nfiles = x\n' },
      ['lint: flake8', 'typecheck: mypy .'],
    ],
    ['pyright', { 'pyrightconfig.json': '{}' }, ['typecheck: pyright']],
    ['no pyright beside mypy', { 'pyrightconfig.json': '{}', 'mypy.ini': '' }, ['typecheck: mypy .']],
    [
      'pytest, by its section',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-ra"\n' },
      ['test: pytest -q'],
    ],
    ['pytest, by its file', { 'pytest.ini': '' }, ['test: pytest -q']],
    ['pytest, by setup.cfg', { 'setup.cfg': '[tool:pytest]\n' }, ['test: pytest -q']],
    ['pytest, by a conftest', { 'tests/conftest.py': '' }, ['test: pytest -q']],
    ['pytest, by a test', { 'setup.py': '', 'tests/test_cart.py': '' }, ['test: pytest -q']],
    ['pytest, by a test at the root', { 'cart_test.py': '' }, ['test: pytest -q']],
    ['no pytest for files that are not tests', { 'tests/helpers.py': '', 'latest.py': '' }, []],
    [
      'pytest, by a dependency group',
      { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n' },
      ['test: pytest -q'],
    ],
    [
      'pytest, by an extra',
      { 'pyproject.toml': '[project.optional-dependencies]\ntest = ["pytest[x]"]\n' },
      ['test: pytest -q'],
    ],
    ['no pytest for one of its plugins', { 'requirements.txt': 'pytest-cov\n' }, []],
    ['no pytest for a keyword', { 'pyproject.toml': '[project]\nkeywords = ["pytest"]\n' }, []],
    [
      "Django's own tests",
      { 'manage.py': '', 'requirements.txt': 'Django==5\n' },
      ['test: python manage.py test'],
    ],
    ['pytest in a Django project', { 'manage.py': '', 'pytest.ini': '' }, ['test: pytest -q']],
    ['tox', { 'tox.ini': '[tox]\nenvlist = py312\n', 'tests/test_a.py': '' }, ['test: tox']],
    ['nox', { 'noxfile.py': 'import nox\n' }, ['test: nox']],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('proposeGates runs Python tools', () => {
  const pyproject = '[project]\ndependencies = []\n[dependency-groups]\ndev = ["ruff", "pytest"]\n';
  test.for<Row>([
    [
      'by uv',
      { 'pyproject.toml': pyproject, 'uv.lock': '' },
      ['lint: uv run ruff check .', 'test: uv run pytest -q'],
    ],
    [
      'by uv, by its section',
      { 'pyproject.toml': `${pyproject}[tool.uv]\n` },
      ['lint: uv run ruff check .', 'test: uv run pytest -q'],
    ],
    [
      'by poetry',
      {
        'pyproject.toml': '[tool.poetry.group.dev.dependencies]\npytest = "^8"\nmypy = { version = "^1" }\n',
      },
      ['typecheck: poetry run mypy .', 'test: poetry run pytest -q'],
    ],
    [
      'by pdm',
      { 'pyproject.toml': pyproject, 'pdm.lock': '' },
      ['lint: pdm run ruff check .', 'test: pdm run pytest -q'],
    ],
    ['by pipenv', { Pipfile: '[dev-packages]\npytest = "*"\n' }, ['test: pipenv run pytest -q']],
    [
      'by pixi',
      { 'pyproject.toml': pyproject, 'pixi.lock': '' },
      ['lint: pixi run ruff check .', 'test: pixi run pytest -q'],
    ],
    [
      'by hatch',
      { 'pyproject.toml': '[tool.hatch.envs.default]\ndependencies = ["pytest"]\n' },
      ['test: hatch run pytest -q'],
    ],
    [
      'without hatch if it only builds',
      { 'pyproject.toml': '[tool.hatch.build]\n[tool.pytest.ini_options]\n' },
      ['test: pytest -q'],
    ],
    [
      'in a virtual environment if it has them',
      { 'ruff.toml': '', 'pytest.ini': '', '.venv/bin/pytest': '', '.venv/bin/python': '' },
      ['lint: ruff check .', 'test: .venv/bin/python -m pytest -q'],
    ],
    [
      'in a virtual environment, by the name of the module',
      { '.pre-commit-config.yaml': '', '.venv/bin/pre-commit': '' },
      ['pre-commit: .venv/bin/python -m pre_commit run --all-files'],
    ],
    [
      'in a virtual environment with another name',
      { 'manage.py': '', 'venv/bin/python': '' },
      ['test: venv/bin/python manage.py test'],
    ],
    [
      'directly if they need no packages and are not required',
      { 'ruff.toml': '', 'uv.lock': '' },
      ['lint: ruff check .'],
    ],
    [
      'always in the environment if they are tests',
      { 'pytest.ini': '', 'uv.lock': '' },
      ['test: uv run pytest -q'],
    ],
    [
      'by uv for all gates of a project',
      {
        'pyproject.toml':
          '[project]\nname = "demo"\n[dependency-groups]\ndev = ["ruff", "mypy", "pytest", "pre-commit"]\n' +
          '[tool.ruff.format]\n[tool.mypy]\npackages = ["demo"]\n[tool.pytest.ini_options]\n',
        'uv.lock': '',
        '.pre-commit-config.yaml': 'repos: []\n',
        'src/demo/__init__.py': '',
        'tests/test_demo.py': '',
      },
      [
        'format: uv run ruff format --check .',
        'lint: uv run ruff check .',
        'pre-commit: uv run pre-commit run --all-files',
        'typecheck: uv run mypy',
        'test: uv run pytest -q',
      ],
    ],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('proposeGates runs pytest by uv with', () => {
  test.for<[what: string, pyproject: string, run: string]>([
    ['no option for the group dev', '[dependency-groups]\ndev = ["pytest"]\n', 'uv run'],
    ['no option for a dependency of the project', '[project]\ndependencies = ["pytest"]\n', 'uv run'],
    ['no option for a development dependency of uv', '[tool.uv]\ndev-dependencies = ["pytest"]\n', 'uv run'],
    [
      'the group that has it',
      '[dependency-groups]\ndev = ["ruff"]\ntests = ["pytest>=8"]\n',
      'uv run --group tests',
    ],
    [
      'no option for a default group',
      '[dependency-groups]\nt = ["pytest"]\n[tool.uv]\ndefault-groups = ["t"]\n',
      'uv run',
    ],
    [
      'no option if all groups are default',
      '[dependency-groups]\nt = ["pytest"]\n[tool.uv]\ndefault-groups = "all"\n',
      'uv run',
    ],
    [
      'no option for a group that dev includes',
      '[dependency-groups]\nt = ["pytest"]\ndev = [{ include-group = "t" }]\n',
      'uv run',
    ],
    [
      'one of two groups that include each other',
      '[dependency-groups]\na = ["pytest", { include-group = "b" }]\nb = [{ include-group = "a" }]\n',
      'uv run --group a',
    ],
    [
      'the extra that has it',
      '[project.optional-dependencies]\ntest = ["pytest[x]; python_version > \'3\'"]\n',
      'uv run --extra test',
    ],
  ])('%s', ([, pyproject, run]) => {
    const files = { 'pyproject.toml': pyproject, 'uv.lock': '' };
    expect(proposedFor(files).filter((gate) => gate.startsWith('test'))).toEqual([`test: ${run} pytest -q`]);
  });
});

test('proposeGates notes a broken pyproject.toml and uses the other files', () => {
  const files = { 'pyproject.toml': '[tool.ruff\n', 'pytest.ini': '' };
  const { gates, notes } = proposeGates(projectDirectory(files));
  expect(gates.map(({ run }) => run)).toEqual(['pytest -q']);
  expect(notes).toEqual([expect.stringMatching(/^pyproject\.toml is broken: .*; it is ignored\.$/)]);
});

test.for<[files: Record<string, string>, why: string]>([
  [{ 'ruff.toml': '' }, 'ruff.toml'],
  [{ 'pyproject.toml': '[tool.ruff]\n' }, '[tool.ruff] in pyproject.toml'],
  [{ 'requirements.txt': 'ruff\n' }, 'ruff in requirements.txt'],
  [{ 'setup.cfg': '[flake8]\n' }, 'flake8 in setup.cfg'],
])('proposeGates shows the evidence of %j', ([files, why]) => {
  expect(proposeGates(projectDirectory(files)).gates).toMatchObject([{ name: 'lint', why }]);
});

test('proposeGates notes how to run the tests that changes affect, if pytest-testmon is required', () => {
  const pyproject = '[dependency-groups]\ndev = ["pytest", "pytest-testmon>=2"]\n';
  const { gates, notes } = proposeGates(projectDirectory({ 'pyproject.toml': pyproject, 'uv.lock': '' }));
  expect(gates.map(({ run }) => run)).toEqual(['uv run pytest -q']);
  expect(notes).toEqual([
    'In a large project, `uv run pytest -q --testmon` checks only what the changes affect.',
  ]);
});
