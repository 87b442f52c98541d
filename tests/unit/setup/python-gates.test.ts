import { describe, expect, test } from 'vitest';
import { proposeGates } from '../../../src/setup/propose-gates.ts';
import { projectDirectory, proposedFor } from '../../helpers/project-directory.ts';

type Row = [what: string, files: Record<string, string>, gates: string[]];

describe('a Python project has the gates that it is set up for', () => {
  test.for<Row>([
    ['nothing', { 'pyproject.toml': '[project]\nname = "demo"\n' }, []],
    [
      'ruff, by its section',
      { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' },
      ['lint: ruff check .'],
    ],
    [
      'ruff, by a section below',
      { 'pyproject.toml': '[tool.ruff.lint]\nselect = ["ALL"]\n' },
      ['lint: ruff check .'],
    ],
    ['ruff, by its file', { 'ruff.toml': '' }, ['lint: ruff check .']],
    [
      'ruff, among the requirements',
      { 'requirements-dev.txt': 'pytest==8.1\nruff\n' },
      ['lint: ruff check .', 'test: pytest -q'],
    ],
    [
      "ruff's formatter, by its section",
      { 'pyproject.toml': '[tool.ruff.format]\nquote-style = "single"\n' },
      ['format: ruff format --check .', 'lint: ruff check .'],
    ],
    [
      "ruff's formatter, by its section in a file",
      { '.ruff.toml': '[format]\n' },
      ['format: ruff format --check .', 'lint: ruff check .'],
    ],
    [
      "ruff's formatter, by its section in another file",
      { 'ruff.toml': '[format]\n' },
      ['format: ruff format --check .', 'lint: ruff check .'],
    ],
    [
      "ruff's formatter, by its hook",
      { 'ruff.toml': '', '.pre-commit-config.yaml': 'repos:\n  - hooks:\n      - id: ruff-format\n' },
      ['format: ruff format --check .', 'lint: ruff check .', 'pre-commit: pre-commit run --all-files'],
    ],
    [
      'black and flake8',
      { 'pyproject.toml': '[tool.black]\n', '.flake8': '[flake8]\n' },
      ['format: black --check .', 'lint: flake8'],
    ],
    ['flake8, by a section in tox.ini', { 'tox.ini': '[flake8]\nmax-line-length = 99\n' }, ['lint: flake8']],
    ['not flake8 beside ruff', { 'ruff.toml': '', '.flake8': '' }, ['lint: ruff check .']],
    ['mypy', { 'mypy.ini': '[mypy]\nstrict = true\n' }, ['typecheck: mypy .']],
    [
      'mypy that knows its files',
      { 'pyproject.toml': '[tool.mypy]\nfiles = ["src"]\n' },
      ['typecheck: mypy'],
    ],
    [
      'mypy that knows its files, in a file of its own',
      { 'mypy.ini': '[mypy]\nfiles = src\n' },
      ['typecheck: mypy'],
    ],
    [
      'mypy that knows its modules, in a hidden file',
      { '.mypy.ini': '[mypy]\nmodules = demo\n' },
      ['typecheck: mypy'],
    ],
    [
      'mypy that knows its packages',
      { 'setup.cfg': '[mypy]\nstrict = true\npackages = demo\n' },
      ['typecheck: mypy'],
    ],
    [
      "not by another section's files",
      { 'setup.cfg': '[mypy]\n[flake8]\nfiles = x\n' },
      ['lint: flake8', 'typecheck: mypy .'],
    ],
    ['pyright', { 'pyrightconfig.json': '{}' }, ['typecheck: pyright']],
    ['not pyright beside mypy', { 'pyrightconfig.json': '{}', 'mypy.ini': '' }, ['typecheck: mypy .']],
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
    ['not by what only looks like a test', { 'tests/helpers.py': '', 'latest.py': '' }, []],
    [
      'pytest, in a group',
      { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n' },
      ['test: pytest -q'],
    ],
    [
      'pytest, in an extra',
      { 'pyproject.toml': '[project.optional-dependencies]\ntest = ["pytest[x]"]\n' },
      ['test: pytest -q'],
    ],
    ['not by a plugin of pytest alone', { 'requirements.txt': 'pytest-cov\n' }, []],
    ['not by a keyword', { 'pyproject.toml': '[project]\nkeywords = ["pytest"]\n' }, []],
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

describe("gates run in the project's environment", () => {
  const pyproject = '[project]\ndependencies = []\n[dependency-groups]\ndev = ["ruff", "pytest"]\n';
  test.for<Row>([
    [
      'of uv',
      { 'pyproject.toml': pyproject, 'uv.lock': '' },
      ['lint: uv run ruff check .', 'test: uv run pytest -q'],
    ],
    [
      'of uv, by its section',
      { 'pyproject.toml': `${pyproject}[tool.uv]\n` },
      ['lint: uv run ruff check .', 'test: uv run pytest -q'],
    ],
    [
      'of poetry',
      {
        'pyproject.toml': '[tool.poetry.group.dev.dependencies]\npytest = "^8"\nmypy = { version = "^1" }\n',
      },
      ['typecheck: poetry run mypy .', 'test: poetry run pytest -q'],
    ],
    [
      'of pdm',
      { 'pyproject.toml': pyproject, 'pdm.lock': '' },
      ['lint: pdm run ruff check .', 'test: pdm run pytest -q'],
    ],
    ['of pipenv', { Pipfile: '[dev-packages]\npytest = "*"\n' }, ['test: pipenv run pytest -q']],
    [
      'of pixi',
      { 'pyproject.toml': pyproject, 'pixi.lock': '' },
      ['lint: pixi run ruff check .', 'test: pixi run pytest -q'],
    ],
    [
      'of hatch',
      { 'pyproject.toml': '[tool.hatch.envs.default]\ndependencies = ["pytest"]\n' },
      ['test: hatch run pytest -q'],
    ],
    [
      'not of hatch that only builds',
      { 'pyproject.toml': '[tool.hatch.build]\n[tool.pytest.ini_options]\n' },
      ['test: pytest -q'],
    ],
    [
      'of a venv',
      { 'ruff.toml': '', 'pytest.ini': '', '.venv/bin/pytest': '', '.venv/bin/python': '' },
      ['lint: ruff check .', 'test: .venv/bin/python -m pytest -q'],
    ],
    [
      'of a venv, by the name of the module',
      { '.pre-commit-config.yaml': '', '.venv/bin/pre-commit': '' },
      ['pre-commit: .venv/bin/python -m pre_commit run --all-files'],
    ],
    [
      'of a venv by another name',
      { 'manage.py': '', 'venv/bin/python': '' },
      ['test: venv/bin/python manage.py test'],
    ],
    ['and a linter that is not in it as it is', { 'ruff.toml': '', 'uv.lock': '' }, ['lint: ruff check .']],
    ['and tests always in it', { 'pytest.ini': '', 'uv.lock': '' }, ['test: uv run pytest -q']],
    [
      'of a whole project',
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

describe('uv is told what it would not install by itself:', () => {
  test.for<[what: string, pyproject: string, run: string]>([
    ['nothing of the group dev', '[dependency-groups]\ndev = ["pytest"]\n', 'uv run'],
    ['nothing of what is required anyway', '[project]\ndependencies = ["pytest"]\n', 'uv run'],
    ['nothing of its own list', '[tool.uv]\ndev-dependencies = ["pytest"]\n', 'uv run'],
    ['a group', '[dependency-groups]\ndev = ["ruff"]\ntests = ["pytest>=8"]\n', 'uv run --group tests'],
    [
      'nothing of a group by default',
      '[dependency-groups]\nt = ["pytest"]\n[tool.uv]\ndefault-groups = ["t"]\n',
      'uv run',
    ],
    [
      'nothing where all are',
      '[dependency-groups]\nt = ["pytest"]\n[tool.uv]\ndefault-groups = "all"\n',
      'uv run',
    ],
    [
      'nothing of what dev includes',
      '[dependency-groups]\nt = ["pytest"]\ndev = [{ include-group = "t" }]\n',
      'uv run',
    ],
    [
      'a group in a circle',
      '[dependency-groups]\na = ["pytest", { include-group = "b" }]\nb = [{ include-group = "a" }]\n',
      'uv run --group a',
    ],
    [
      'an extra',
      '[project.optional-dependencies]\ntest = ["pytest[x]; python_version > \'3\'"]\n',
      'uv run --extra test',
    ],
  ])('%s', ([, pyproject, run]) => {
    const files = { 'pyproject.toml': pyproject, 'uv.lock': '' };
    expect(proposedFor(files).filter((gate) => gate.startsWith('test'))).toEqual([`test: ${run} pytest -q`]);
  });
});

test('a pyproject.toml that is broken is told of, and the rest of the project counts', () => {
  const files = { 'pyproject.toml': '[tool.ruff\n', 'pytest.ini': '' };
  const { gates, notes } = proposeGates(projectDirectory(files));
  expect(gates.map(({ run }) => run)).toEqual(['pytest -q']);
  expect(notes).toEqual([
    expect.stringMatching(/^pyproject\.toml is broken: .*; what it says is passed over\.$/),
  ]);
});

test.for<[files: Record<string, string>, why: string]>([
  [{ 'ruff.toml': '' }, 'ruff.toml'],
  [{ 'pyproject.toml': '[tool.ruff]\n' }, '[tool.ruff] in pyproject.toml'],
  [{ 'requirements.txt': 'ruff\n' }, 'ruff in requirements.txt'],
  [{ 'setup.cfg': '[flake8]\n' }, 'flake8 in setup.cfg'],
])('%j says where it was seen', ([files, why]) => {
  expect(proposeGates(projectDirectory(files)).gates).toMatchObject([{ name: 'lint', why }]);
});
