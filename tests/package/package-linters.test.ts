import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { filterProblems } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { describe, expect } from 'vitest';
import { test } from '../helpers/packed-package.ts';

describe('the package', () => {
  test('has no problem according to publint', async ({ packed }) => {
    const { messages } = await publint({ pack: { tarball: packed.tarball.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  // It is only an ES module, so resolution by CommonJS is not checked.
  test.for([
    { entrypoint: '.', resolutionKind: 'node16-esm', file: 'dist/types/index.d.ts' },
    { entrypoint: '.', resolutionKind: 'bundler', file: 'dist/types/index.d.ts' },
    { entrypoint: './package.json', resolutionKind: 'node16-esm', file: 'package.json' },
    { entrypoint: './package.json', resolutionKind: 'bundler', file: 'package.json' },
  ] as const)('has the correct types for $entrypoint with $resolutionKind', async (row, { packed }) => {
    const { entrypoint, resolutionKind, file } = row;
    const analysis = await checkPackage(createPackageFromTarballData(packed.tarball));
    if (!analysis.types) throw new Error('There are no types.');
    expect(filterProblems(analysis, { entrypoint, resolutionKind })).toEqual([]);
    const { resolution } = analysis.entrypoints[entrypoint]?.resolutions[resolutionKind] ?? {};
    expect(resolution?.fileName).toBe(`/node_modules/ralph-loop-cli/${file}`);
  });
});
