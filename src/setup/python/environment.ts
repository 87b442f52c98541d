import { tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { requirementFile } from './requirements.ts';
import { uvRun } from './uv-run.ts';

/** Who else than uv keeps a project's environment, and how a program is run in it. */
const KEEPERS: readonly [isSeen: (project: ProjectFacts) => boolean, prefix: string][] = [
  [(project) => project.has('poetry.lock') || hasTool('poetry', project), 'poetry run'],
  [(project) => project.has('pdm.lock'), 'pdm run'],
  [(project) => project.has('Pipfile'), 'pipenv run'],
  [(project) => project.has('pixi.lock', 'pixi.toml'), 'pixi run'],
  [(project) => valueAt(project.data('pyproject.toml'), 'tool', 'hatch', 'envs') !== undefined, 'hatch run'],
];

/** Programs that check without the project's own packages, and are often installed once for all projects. */
const STAND_ALONE = ['ruff', 'black', 'flake8', 'pyright', 'basedpyright', 'ty', 'pre-commit'];

const VENVS = ['.venv', 'venv'];

/** A Python program's command, in the environment that the project has for it. */
export function inEnvironment(command: string, project: ProjectFacts): string {
  const [program = ''] = command.split(' ');
  const keeper =
    project.has('uv.lock') || hasTool('uv', project)
      ? uvRun(program, project)
      : KEEPERS.find(([isSeen]) => isSeen(project))?.[1];
  if (keeper !== undefined) {
    const isBare = STAND_ALONE.includes(program) && requirementFile(program, project) === undefined;
    return isBare ? command : `${keeper} ${command}`;
  }
  const venv = VENVS.find((directory) => project.has(`${directory}/bin/${program}`));
  if (venv === undefined) return command;
  // With `-m`, modules at the root are found too, and a venv that was moved still works.
  const module = program.replace('-', '_');
  return `${venv}/bin/${program === 'python' ? command : `python -m ${command.replace(program, module)}`}`;
}

function hasTool(name: string, project: ProjectFacts): boolean {
  return Object.hasOwn(tableAt(project.data('pyproject.toml'), 'tool'), name);
}
