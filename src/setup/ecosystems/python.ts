import { posix } from 'node:path';
import { type Choice, firstSeen } from '../first-seen.ts';
import { tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';
import { inEnvironment } from '../python/environment.ts';
import { seenTool } from '../python/seen-tool.ts';

const RUFF_FORMAT_SECTION = /^\[(tool\.ruff\.)?format\]/m;
const RUFF_FILES = ['ruff.toml', '.ruff.toml', 'pyproject.toml'];
/** `ruff format`, `"ruff", "format"`, and pre-commit's `ruff-format`. */
const RUFF_FORMAT_COMMAND = /\bruff["', -]+format\b/;
const FILES_WITH_COMMANDS = ['.pre-commit-config.yaml', 'Makefile', 'justfile', 'tox.ini', 'noxfile.py'];

/** Programs that a Python project is set up for. */
export function pythonGates(project: ProjectFacts): Candidate[] {
  const tool = (command: string, seenIn: string | undefined): Choice => [
    inEnvironment(command, project),
    seenIn,
  ];
  return [
    ...firstSeen(
      'format',
      tool('ruff format --check .', ruffFormat(project)),
      tool('black --check .', seenTool('black', project)),
    ),
    ...firstSeen(
      'lint',
      tool('ruff check .', seenTool('ruff', project)),
      tool('flake8', seenTool('flake8', project)),
    ),
    ...firstSeen(
      'typecheck',
      tool(mypyCommand(project), seenTool('mypy', project)),
      tool('basedpyright', seenTool('basedpyright', project)),
      tool('pyright', seenTool('pyright', project)),
      tool('ty check', seenTool('ty', project)),
    ),
    ...firstSeen(
      'test',
      tool('pytest -q', seenTool('pytest', project)),
      tool('python manage.py test', project.first('manage.py')),
      ['tox', toxFile(project)],
      ['nox', project.first('noxfile.py')],
      tool('pytest -q', testFile(project)),
    ),
  ];
}

/** ruff's formatter is one of two things that ruff is used for: the project must have named it somewhere. */
function ruffFormat(project: ProjectFacts): string | undefined {
  const path = [...RUFF_FILES, ...FILES_WITH_COMMANDS].find((file) => {
    const section = RUFF_FILES.includes(file) ? RUFF_FORMAT_SECTION : RUFF_FORMAT_COMMAND;
    return section.test(project.text(file));
  });
  return path && `ruff format in ${path}`;
}

/** mypy wants to be told what to check, here or in its configuration. */
function mypyCommand(project: ProjectFacts): string {
  const { files, packages, modules } = tableAt(project.data('pyproject.toml'), 'tool', 'mypy');
  const inIni = ['mypy.ini', '.mypy.ini', 'setup.cfg'].some((path) =>
    /^\[mypy\][^[]*^(files|packages|modules)\s*=/m.test(project.text(path)),
  );
  return files || packages || modules || inIni ? 'mypy' : 'mypy .';
}

function toxFile(project: ProjectFacts): string | undefined {
  // Others keep their configuration in a tox.ini too.
  return /^\[(tox|testenv)/m.test(project.text('tox.ini')) ? 'tox.ini' : project.first('tox.toml');
}

/** The weakest sign: another program than pytest may be meant to run it. */
function testFile(project: ProjectFacts): string | undefined {
  const paths = ['tests', 'test', '.'].flatMap((directory) =>
    project.list(directory).map((name) => posix.join(directory, name)),
  );
  return paths.find((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path));
}
