import { tableAt, textsIn, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { namesIn } from './requirements.ts';

/** `uv run`, with the group or the extra that a program is required in, where uv does not install it anyway. */
export function uvRun(program: string, project: ProjectFacts): string {
  const pyproject = project.data('pyproject.toml');
  const groups = tableAt(pyproject, 'dependency-groups');
  const defaults = valueAt(pyproject, 'tool', 'uv', 'default-groups') ?? ['dev'];
  const inGroups = Object.keys(groups).filter((name) => requiredIn(groups, name).includes(program));
  if (inGroups.length > 0) {
    const isDefault = defaults === 'all' || inGroups.some((name) => textsIn(defaults).includes(name));
    return isDefault ? 'uv run' : `uv run --group ${inGroups[0]}`;
  }
  const extras = Object.entries(tableAt(pyproject, 'project', 'optional-dependencies'));
  const extra = extras.find(([, requirements]) => namesIn(requirements).includes(program))?.[0];
  return extra === undefined ? 'uv run' : `uv run --extra ${extra}`;
}

/** The packages of a group, and of those that it includes; in a circle, each group counts once. */
function requiredIn(groups: Readonly<Record<string, unknown>>, name: string): string[] {
  const pending = [name];
  for (const group of pending) {
    const items = Array.isArray(groups[group]) ? groups[group] : [];
    const included = textsIn(items.map((item) => valueAt(item, 'include-group')));
    pending.push(...included.filter((other) => !pending.includes(other)));
  }
  return pending.flatMap((group) => namesIn(groups[group]));
}
