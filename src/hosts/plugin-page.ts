import type { HookFile } from './host.ts';

// A page of JavaScript that `init` writes as a host's plugin. The hooks are in it as the JSON of a hook file.

const MARK = /^\uFEFF?\/\/ `ralph-loop init` writes this file/;
/** The object that the page assigns to `SETTINGS`: what `init` edits. */
const SETTINGS = /(?<=^const SETTINGS = )\{(?:.*?^)??\}(?=;$)/ms;

type Form = Pick<HookFile, 'page'>;

/** Whether a text is a page that is not ralph-loop's. */
export function isForeignPage(text: string, { page }: Form): boolean {
  return page !== undefined && text.trim() !== '' && !MARK.test(text);
}

/** The JSON with the hooks in a hook file: all of its text, or what a page has of it; empty if it is not ralph-loop's. */
export function settingsIn(text: string, hookFile: Form): string {
  if (hookFile.page === undefined) return text;
  return isForeignPage(text, hookFile) ? '' : (SETTINGS.exec(text)?.[0] ?? '');
}

/** The same JSON at the lines and columns that it has in the file. */
export function settingsInPlace(text: string, hookFile: Form): string {
  const json = settingsIn(text, hookFile);
  return text.slice(0, json === '' ? 0 : text.indexOf(json)).replace(/[^\r\n\uFEFF]/g, ' ') + json;
}

/** @param code the page, with any settings or none */
export function pageWith(code: string, json: string): string {
  return code.replace(SETTINGS, () => json.trim());
}

/** Whether two pages differ in nothing but their settings and line ends. */
export function isSamePage(one: string, other: string): boolean {
  return codeOf(one) === codeOf(other);
}

function codeOf(page: string): string {
  return pageWith(page.replaceAll('\r\n', '\n'), '{}');
}
