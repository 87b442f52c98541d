import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { canBrowse, screenshotOf, servePages } from '../helpers/browser.ts';
import { inspectPages, pixelsOf, type Shape, type Sight } from '../helpers/inspect-page.ts';
import { logRecord } from '../helpers/log-record.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';
import { loggedGate, logText, sampleLog } from '../helpers/sample-log.ts';
import { LOG_FILE } from '../helpers/stops.ts';

const ONE_DAY = '2026-03-14T12:00:00.000Z';
const [PHONE, DESK] = [360, 1400];

/** A log with these numbers of loops that passed at iteration 1, passed at iteration 2, and ended unverified. */
function knownLog({
  first,
  second,
  unverified,
}: {
  first: number;
  second: number;
  unverified: number;
}): string {
  const allowed = (
    task: string,
    iteration: number,
    why: string,
    gates = [loggedGate('lint', 'passed', 1000)],
  ) => logRecord({ task, time: ONE_DAY, iteration, answer: 'allow', why, gates });
  const times = <T>(n: number, make: (index: number) => T) =>
    Array.from({ length: n }, (_, index) => make(index));
  const failed = [loggedGate('test', 'failed', 4000), loggedGate('e2e', 'passed', 500)];
  return logText([
    ...times(first, (n) => allowed(`a${n}`, 1, 'commands-passed')),
    ...times(second, (n) => allowed(`b${n}`, 2, 'commands-passed', [loggedGate('lint', 'failed', 1000)])),
    ...times(unverified, (n) => allowed(`c${n}`, 5, 'cap-reached', failed)),
  ]);
}

async function pageOf(makeProject: MakeProject, log: string): Promise<{ project: Project; page: string }> {
  const project = makeProject({ [LOG_FILE]: log });
  const run = await ralphLoop(project, ['report', '--html', 'report.html']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return { project, page: project.read('report.html') };
}

/** The lengths of bars or columns of a style. */
function lengthsOf({ shapes }: Sight, style: string, side: 'width' | 'height'): number[] {
  return shapes.filter((shape) => shape.tag === 'rect' && shape.style === style).map((shape) => shape[side]);
}

describe.skipIf(!canBrowse)('the page of ralph-loop report in a browser', () => {
  test('has no overflow and no overlapping labels, narrow or wide, and loads nothing', async ({
    makeProject,
  }) => {
    const long = `${'averylongname'.repeat(12)}`;
    const gates = Array.from({ length: 150 }, (_, n) => loggedGate(`${long}${n}`, 'failed', 4_000_000));
    const awkward = logRecord({
      time: ONE_DAY,
      task: long,
      iteration: 5,
      answer: 'allow',
      why: 'cap-reached',
      gates,
    });
    const logs = [
      '',
      logText(sampleLog(1)),
      logText(sampleLog(10)),
      logText(sampleLog(5000)),
      logText([awkward]),
    ];
    const made = await Promise.all(logs.map((log) => pageOf(makeProject, log)));
    const project = makeProject();
    const { sights, requests } = await inspectPages(
      project,
      made.map(({ page }) => page),
      [PHONE, DESK],
    );
    expect(sights.map(({ width }) => width)).toEqual(logs.flatMap(() => [PHONE, DESK]));
    expect(sights.flatMap(({ outside }) => outside)).toEqual([]);
    expect(sights.flatMap(({ overlapping }) => overlapping)).toEqual([]);
    // Only the pages themselves were requested.
    expect(new Set(requests)).toEqual(new Set(logs.map((_, index) => `/page-${index}`)));
  });

  test('has bars and columns in proportion to their values', async ({ makeProject }) => {
    const { project, page } = await pageOf(makeProject, knownLog({ first: 12, second: 6, unverified: 3 }));
    const { sights } = await inspectPages(project, [page], [PHONE, DESK]);
    for (const sight of sights) {
      // The gap takes one pixel of each. First comes the column of the day, then those of the iterations.
      const [ofDay = 0, ofFirst = 0] = lengthsOf(sight, 'first-try', 'height').map((height) => height + 1);
      const [laterOfDay = 0, ofSecond = 0] = lengthsOf(sight, 'later', 'height').map((height) => height + 1);
      const [unverifiedOfDay = 0] = lengthsOf(sight, 'unverified', 'height').map((height) => height + 1);
      expect(laterOfDay / ofDay).toBeCloseTo(6 / 12, 2);
      expect(unverifiedOfDay / ofDay).toBeCloseTo(3 / 12, 2);
      expect(ofSecond / ofFirst).toBeCloseTo(6 / 12, 2);
      const [, ofLint = 0, ofTest = 0] = lengthsOf(sight, 'unverified', 'width');
      // Failed runs of all runs.
      expect(ofLint / ofTest).toBeCloseTo(6 / 18, 2);
      const [testMs = 0, lintMs = 0, e2eMs = 0] = lengthsOf(sight, 'slow', 'width');
      expect(lintMs / testMs).toBeCloseTo(1000 / 4000, 2);
      expect(e2eMs / testMs).toBeCloseTo(500 / 4000, 2);
    }
  });

  test('does not load or run injected markup', async ({ makeProject }) => {
    const { project, page } = await pageOf(makeProject, knownLog({ first: 1, second: 0, unverified: 0 }));
    const leaks =
      '<script>document.body.prepend("it has run")</script><script src="/leak.js"></script><img src="/leak.png"><link rel="stylesheet" href="/leak.css"><iframe src="/leak.html"></iframe><style>@import "/leak-2.css";</style>';
    const slipped = page.replace('<main>', `<main>${leaks}`);
    const open = slipped.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
    const [shut, control] = [await requestsOf(project, slipped), await requestsOf(project, open)];
    expect(shut).toEqual([]);
    expect(control).toEqual(['/leak-2.css', '/leak.css', '/leak.html', '/leak.js', '/leak.png']);
  });

  test.for([{ dark: false }, { dark: true }])(
    'paints the areas in their colours, in dark mode: $dark',
    async ({ dark }, { makeProject }) => {
      const { project, page } = await pageOf(makeProject, knownLog({ first: 12, second: 6, unverified: 3 }));
      const { sights } = await inspectPages(project, [page], [DESK], { dark });
      const { origin } = await servePages({ '/': page });
      const image = await screenshotOf(project, `${origin}/`, { width: DESK, height: 2000, dark });
      const pixels = await pixelsOf(project, image);
      // A bar covers a part of its track.
      const shapes = sights[0]?.shapes.filter(({ style }) => style !== 'track') ?? [];
      const areas = Object.entries(areasOf(shapes));
      expect(areas).toHaveLength(4);
      for (const [colour, area] of areas) {
        // Edges and round corners have mixed colours.
        expect((pixels[colour] ?? 0) / area).toBeGreaterThan(0.9);
        expect((pixels[colour] ?? 0) / area).toBeLessThan(1.05);
      }
      const [paper = ''] = Object.entries(pixels).toSorted(([, a], [, b]) => b - a)[0] ?? [];
      const brightness = paper.match(/\d+/g)?.map(Number) ?? [];
      expect(brightness.every((value) => (dark ? value < 64 : value > 192))).toBe(true);
    },
  );
});

/** The requests of a page, without the one for the page. */
async function requestsOf(project: Project, page: string): Promise<string[]> {
  const { sights, requests } = await inspectPages(project, [page], [DESK]);
  expect(sights).toHaveLength(1);
  return requests.filter((path) => path !== '/page-0').toSorted();
}

/** Area of each colour in pixels. */
function areasOf(shapes: readonly Shape[]): Readonly<Record<string, number>> {
  const areas: Record<string, number> = {};
  for (const { colour, width, height } of shapes) areas[colour] = (areas[colour] ?? 0) + width * height;
  return areas;
}
