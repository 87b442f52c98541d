import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LAUNCHER } from '../process/own-command.ts';
import type { HookFile } from './host.ts';
import { isSamePage } from './plugin-page.ts';
import { HOSTS } from './registry.ts';

// The programs that `init` writes into a project, as the package has them.

/** What differs by where the program is installed. */
const INSTALLED_IN = /(?<=const INSTALLED_IN = )(?:'\.'|"(?:[^"\\\n]|\\.)*")/;

/**
 * The text of the launcher.
 *
 * @param workspace where it searches first for the program, relative to the project
 */
export function launcherIn(workspace = '.'): string {
  const text = textInPackage('ralph-hook.cjs');
  return workspace === '.' ? text : text.replace(INSTALLED_IN, () => JSON.stringify(workspace));
}

/** Whether a text is the launcher of this version, wherever the program is installed, and whatever line ends git wrote. */
export function isCurrentLauncher(text: string): boolean {
  return text.replaceAll('\r\n', '\n').replace(INSTALLED_IN, "'.'") === launcherIn();
}

/** The text of a host's plugin, without hooks. */
export function pageText(name: string): string {
  return textInPackage(`plugins/${name}`);
}

/** Whether a page has the code of this version, with any hooks. */
export function isCurrentPage(text: string, { page }: HookFile): boolean {
  return page !== undefined && isSamePage(text, pageText(page));
}

/** Whether a file of a project is a program that `init` of this version writes there. */
export function isOwnFile(path: string, text: string): boolean {
  if (path === LAUNCHER) return isCurrentLauncher(text);
  return HOSTS.some(({ hookFile }) => hookFile.path === path && isCurrentPage(text, hookFile));
}

function textInPackage(name: string): string {
  // The bundle is as deep in the package as this file.
  return readFileSync(fileURLToPath(new URL(`../../bin/${name}`, import.meta.url)), 'utf8');
}
