import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('the links between the pages', () => {
  test.for(PAGES)('lead from %s to files and headings that exist', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  test('are read outside of code, with images and headings', () => {
    const text = [
      '[a](missing.md) [b](#no-heading) ![c](missing.svg) [d](hosts.md#no-heading)',
      '# A `heading`, twice\n# A heading, twice',
      '[e](#a-heading-twice) [f](#a-heading-twice-1) [g](hosts.md#hosts) [h](https://example.com/missing)',
      '`[i](missing.md)`\n```\n# No heading\n[j](missing.md)\n```',
    ].join('\n\n');

    expect(brokenLinks('docs/page.md', text)).toEqual([
      'missing.md',
      '#no-heading',
      'missing.svg',
      'hosts.md#no-heading',
    ]);
  });
});

/** The relative links of a page that lead to no file, or to no heading of it. */
function brokenLinks(page: string, text: string): string[] {
  const prose = withoutFences(text).replaceAll(/(`+)[^`].*?\1/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const path = join(dirname(page), file);
    if (file !== '' && !existsSync(join(ROOT, path))) return true;
    return anchor !== undefined && !anchorsIn(file === '' ? text : read(path)).includes(anchor);
  });
}

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsIn(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = seen.get(anchor) ?? 0;
    seen.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
