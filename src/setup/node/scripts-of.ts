import type { NamedCommands } from '../known-names.ts';
import { type Table, tableAt } from '../parse-data.ts';

/** The scripts of a package.json; what is no text is none. */
export function scriptsOf(packageJson: Table): NamedCommands {
  const entries = Object.entries(tableAt(packageJson, 'scripts'));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
