import { readFileSync } from 'node:fs';
import { domOf, servePages } from './browser.ts';
import type { Project } from './project.ts';

/** What stands on a page of a certain width. */
export interface Sight {
  readonly width: number;
  /** What reaches out of the page at its sides. */
  readonly outside: readonly string[];
  /** Labels of a plot that reach into the next one. */
  readonly overlapping: readonly string[];
  /** The shapes of plots and legends, in the order of the page; sizes in pixels. */
  readonly shapes: readonly Shape[];
}

export interface Shape {
  readonly tag: 'rect' | 'I';
  /** Its class. */
  readonly style: string;
  /** `rgb(1, 2, 3)`. */
  readonly colour: string;
  readonly width: number;
  readonly height: number;
}

interface Look {
  /** In the order of the pages, and for each of the widths. */
  readonly sights: readonly Sight[];
  /** What the browser has asked for, apart from the page that watches. */
  readonly requests: readonly string[];
}

/** Looks at pages, each in frames of these widths: a window of a headless browser is never as narrow as a telephone. */
export async function lookAtPages(
  project: Project,
  pages: readonly string[],
  widths: readonly number[],
  options: { readonly dark?: boolean } = {},
): Promise<Look> {
  const served = Object.fromEntries(pages.map((page, index) => [`/page-${index}`, page]));
  const frames = Object.keys(served).flatMap((path) =>
    widths.map((width) => `<iframe src="${path}" style="border:0;width:${width}px;height:4000px"></iframe>`),
  );
  const watcher = watchingPage('look.js', frames.join('\n'));
  const { origin, requests } = await servePages({ '/': watcher, ...served });
  const sights = toldBy<Sight[]>(await domOf(project, `${origin}/`, options));
  return { sights, requests: requests.slice(1) };
}

/** How many pixels of an image have each colour. */
export async function pixelsOf(project: Project, image: Buffer): Promise<Readonly<Record<string, number>>> {
  const watcher = watchingPage('count-pixels.js', '<img src="/image">');
  const { origin } = await servePages({ '/': watcher, '/image': image });
  return toldBy(await domOf(project, `${origin}/`));
}

/** A page with a script that writes down what it sees. Without its empty icon the browser would ask for one. */
function watchingPage(script: string, body: string): string {
  const text = readFileSync(new URL(`../fixtures/browser/${script}`, import.meta.url), 'utf8');
  return `<!doctype html><link rel="icon" href="data:,"><meta name="color-scheme" content="light dark">
${body}<pre></pre><script>${text}</script>`;
}

function toldBy<T>(dom: string): T {
  const [, told = ''] = /<pre>(.*)<\/pre>/.exec(dom) ?? [];
  return JSON.parse(decodeURIComponent(told));
}
