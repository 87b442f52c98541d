import { readFileSync } from 'node:fs';
import { domOf, servePages } from './browser.ts';
import type { Project } from './project.ts';

/** What a page of a certain width shows. */
export interface Sight {
  readonly width: number;
  /** Elements that exceed the width of the page. */
  readonly outside: readonly string[];
  /** Labels of a plot that overlap the next one. */
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
  /** The requests of the browser, except for the inspecting page. */
  readonly requests: readonly string[];
}

/** Inspects pages in frames of these widths, because a headless browser has no window as narrow as a telephone. */
export async function inspectPages(
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
  const sights = resultOf<Sight[]>(await domOf(project, `${origin}/`, options));
  return { sights, requests: requests.slice(1) };
}

/** Returns the number of pixels of each colour in an image. */
export async function pixelsOf(project: Project, image: Buffer): Promise<Readonly<Record<string, number>>> {
  const watcher = watchingPage('count-pixels.js', '<img src="/image">');
  const { origin } = await servePages({ '/': watcher, '/image': image });
  return resultOf(await domOf(project, `${origin}/`));
}

/** Returns a page with a script that records what it finds. The empty icon avoids a request of the browser. */
function watchingPage(script: string, body: string): string {
  const text = readFileSync(new URL(`../fixtures/browser/${script}`, import.meta.url), 'utf8');
  return `<!doctype html><link rel="icon" href="data:,"><meta name="color-scheme" content="light dark">
${body}<pre></pre><script>${text}</script>`;
}

function resultOf<T>(dom: string): T {
  const [, text = ''] = /<pre>(.*)<\/pre>/.exec(dom) ?? [];
  return JSON.parse(decodeURIComponent(text));
}
