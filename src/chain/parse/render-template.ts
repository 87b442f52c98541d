/** The call of a template, at the beginning of a text: `>>name`. */
export const TEMPLATE_CALL = /^\s*>>(\w[\w.-]*)(?!\S)/;
/** Not `$ARGUMENTS[0]`, which Claude Code fills with one word of them. */
const ARGUMENTS = /\$ARGUMENTS(?![\w[])/g;

/**
 * Puts a template in the place of its call: what stands behind the name goes to each `$ARGUMENTS`, and without any, to
 * a paragraph of its own. `$1` stays as it is, since Claude Code has counted from 1 and from 0.
 *
 * A gate in a template is text: only what a person typed may start commands on their machine.
 *
 * @param template the text that the project has below a name
 * @returns the text itself where it calls none, or one that is not there
 */
export function renderTemplate(text: string, template: (name: string) => string | undefined): string {
  const [call = '', name = ''] = TEMPLATE_CALL.exec(text) ?? [];
  const found = call === '' ? undefined : template(name);
  if (found === undefined) return text;
  const rest = text.slice(call.length).trim();
  if (found.search(ARGUMENTS) !== -1) return found.replace(ARGUMENTS, () => rest).trim();
  return `${found.trim()}\n\n${rest}`.trim();
}
