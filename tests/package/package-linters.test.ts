import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { filterProblems } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { describe, expect } from 'vitest';
import { test } from '../helpers/packed-package.ts';

describe('what linters of packages say', () => {
  test('publint: nothing', async ({ packed }) => {
    const { messages } = await publint({ pack: { tarball: packed.tarball.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  // It is an ES module only: what CommonJS resolves to is not asked.
  test.for([
    { entrypoint: '.', resolutionKind: 'node16-esm', file: 'dist/types/index.d.ts' },
    { entrypoint: '.', resolutionKind: 'bundler', file: 'dist/types/index.d.ts' },
    { entrypoint: './package.json', resolutionKind: 'node16-esm', file: 'package.json' },
    { entrypoint: './package.json', resolutionKind: 'bundler', file: 'package.json' },
  ] as const)('arethetypeswrong: $entrypoint is right for $resolutionKind', async (row, { packed }) => {
    const { entrypoint, resolutionKind, file } = row;
    const analysis = await checkPackage(createPackageFromTarballData(packed.tarball));
    if (!analysis.types) throw new Error('There are no types.');
    expect(filterProblems(analysis, { entrypoint, resolutionKind })).toEqual([]);
    const { resolution } = analysis.entrypoints[entrypoint]?.resolutions[resolutionKind] ?? {};
    expect(resolution?.fileName).toBe(`/node_modules/ralph-loop/${file}`);
  });
});
