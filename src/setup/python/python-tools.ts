import { tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { requirementFile } from './requirements.ts';

/** Files of a tool's own, and what its section is called in setup.cfg and tox.ini, where it is not its name. */
const TOOLS = {
  ruff: { files: ['ruff.toml', '.ruff.toml'] },
  black: { files: [] },
  flake8: { files: ['.flake8'] },
  mypy: { files: ['mypy.ini', '.mypy.ini'] },
  pyright: { files: ['pyrightconfig.json'] },
  basedpyright: { files: [] },
  ty: { files: ['ty.toml'] },
  pytest: { files: ['pytest.ini', '.pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'] },
} as const;

/** What a project's use of a tool is seen in, for a person; undefined where it is not seen. */
export function seenTool(name: keyof typeof TOOLS, project: ProjectFacts): string | undefined {
  const file = project.first(...TOOLS[name].files);
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
