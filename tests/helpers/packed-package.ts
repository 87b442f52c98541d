import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { test as base } from './project.ts';

/** The output of `npm pack` in the built repository. */
export interface PackedPackage {
  readonly tarball: Uint8Array<ArrayBuffer>;
  /** Bytes. */
  readonly size: number;
  /** Bytes. */
  readonly unpackedSize: number;
  /** Paths inside of the package. */
  readonly files: readonly string[];
  /** A directory, with a blank in its path, in which only this package is installed. */
  readonly home: string;
}

/** `test` with `packed`, which is made once for each worker of Vitest. */
export const test = base
  .extend('repository', { scope: 'worker' }, () => fileURLToPath(new URL('../..', import.meta.url)))
  .extend('packed', { scope: 'worker' }, async ({ repository }, { onCleanup }): Promise<PackedPackage> => {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), 'ralph package '));
    onCleanup(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
    // Scripts are left out, since `prepack` builds: other tests are using what is built.
    const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
    const [{ filename, size, unpackedSize, files }] = JSON.parse(await npm(packing, repository, directory));
    const path = join(directory, filename);
    const home = join(directory, 'my home');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
    await npm(['install', '--offline', '--no-audit', '--no-fund', path], home, directory);
    return {
      tarball: new Uint8Array(readFileSync(path)),
      size,
      unpackedSize,
      files: files.map((file: { readonly path: string }) => file.path),
      home,
    };
  });

/** Runs npm without the settings and the cache of the user. */
async function npm(args: readonly string[], cwd: string, home: string): Promise<string> {
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    npm_config_cache: join(home, 'cache'),
    npm_config_update_notifier: 'false',
  };
  const { stdout } = await execa('npm', args, { cwd, env, extendEnv: false });
  return stdout;
}
