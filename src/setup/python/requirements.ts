import { isTable, type Table } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** Files that name requirements in their text, as lines or as strings. */
const TEXTS = /^(.*requirements.*\.(txt|in)|Pipfile|setup\.(py|cfg))$/;

/** The file that names a package among what the project requires, in any group or environment. */
export function requirementFile(name: string, project: ProjectFacts): string | undefined {
  if (requirementsIn(project.data('pyproject.toml')).has(name)) return 'pyproject.toml';
  const line = new RegExp(`^[\\s"']*${name}\\b(?![-.])`, 'im');
  return project.list('.').find((file) => TEXTS.test(file) && line.test(project.text(file)));
}

/** All that stands below a key of dependencies, whichever tool the key belongs to: texts of lists, and keys of tables. */
function requirementsIn(table: Table): Set<string> {
  const found = Object.entries(table).flatMap(([key, value]) =>
    key.includes('dependenc') ? namesIn(value) : isTable(value) ? [...requirementsIn(value)] : [],
  );
  return new Set(found);
}

/** Names of packages, from a list of requirements or a table of them. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [/^[\w.-]*/.exec(value.trim())?.[0].toLowerCase() ?? ''];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  // `{ pytest = "^8" }`, and groups of them: `{ dev = ["pytest"] }`
  return isTable(value)
    ? Object.entries(value).flatMap(([key, inner]) => [key.toLowerCase(), ...namesIn(inner)])
    : [];
}
