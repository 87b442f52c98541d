import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import type { Project } from './project.ts';

/** The names of the program in distributions and CI images. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const chromium = NAMES.find((name) => spawnSync(name, ['--version']).status === 0) ?? '';

export const canBrowse = chromium !== '';
if (!canBrowse) console.log('skipped: there is no Chromium to look at pages with');

interface BrowseOptions {
  /** Whether the user prefers dark pages. */
  readonly dark?: boolean;
}

/** Returns the document of a page after its scripts have run. */
export async function domOf(project: Project, url: string, options: BrowseOptions = {}): Promise<string> {
  return await browse(project, ['--dump-dom', url], options);
}

/** Returns a screenshot of a page as a PNG. */
export async function screenshotOf(
  project: Project,
  url: string,
  { width, height, ...options }: BrowseOptions & { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const file = join(project.home, `screenshot-${width}-${options.dark ? 'dark' : 'light'}.png`);
  await browse(project, [`--window-size=${width},${height}`, `--screenshot=${file}`, url], options);
  return readFileSync(file);
}

async function browse(
  project: Project,
  args: readonly string[],
  { dark = false }: BrowseOptions,
): Promise<string> {
  const common = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'];
  const scheme = `--blink-settings=preferredColorScheme=${dark ? 0 : 1}`;
  const profile = `--user-data-dir=${join(project.home, 'browser')}`;
  const { stdout } = await execa(chromium, [...common, scheme, profile, ...args], {
    env: project.environment,
    extendEnv: false,
  });
  return stdout;
}

/**
 * Serves pages on this machine until the test ends.
 *
 * @param pages by path; a Buffer is an image
 * @returns the origin, and the requested paths in `requests`
 */
export async function servePages(pages: Readonly<Record<string, string | Buffer>>) {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const page = pages[url];
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': typeof page === 'string' ? 'text/html' : 'image/png',
    });
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, requests };
}
