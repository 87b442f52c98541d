import { tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { requirementFile } from './requirements.ts';

/** Files that only the tool itself reads. */
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

/** What a project's use of a tool is seen in, for a person; undefined where it is not seen. */
export function seenTool(name: keyof typeof OWN_FILES, project: ProjectFacts): string | undefined {
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
