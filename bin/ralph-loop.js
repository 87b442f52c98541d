#!/usr/bin/env node
// Runs the program with V8's code cache, because a hook spends a fifth of its time on compiling functions. Node's own
// module.enableCompileCache does not cache functions that are compiled on their first call, and Node 20 does not have it.
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const program = join(__dirname, '../dist/program');
const cache = join(__dirname, '../dist/.cache');
const chunks = new Map();

/** Returns the exports of a chunk of the program. */
function load(name) {
  const loaded = chunks.get(name);
  if (loaded) return loaded.module.exports;
  const filename = join(program, name);
  const source = readFileSync(filename);
  // A script of node:vm has no import().
  if (source.includes('import(')) return require(filename);
  const cachePath = join(cache, `${name}-${process.version}-${process.arch}`);
  const cachedData = readCache(cachePath, source);
  const script = new Script(`(function(exports,require,module){${source}\n})`, { filename, cachedData });
  const module = { exports: {} };
  // V8 rejects data of another version and of other flags.
  const isCached = cachedData !== undefined && !script.cachedDataRejected;
  chunks.set(name, { module, source, script, cachePath, isCached });
  script.runInThisContext()(module.exports, requireInChunk, module);
  return module.exports;
}

/** Chunks in the same directory are loaded here; everything else is Node's business. */
function requireInChunk(id) {
  if (/^\.\/[^/]+\.cjs$/.test(id)) return load(id.slice(2));
  return require(id.startsWith('.') ? join(program, id) : id);
}

/**
 * Returns the data if they are of this source and undamaged. V8 checks neither: it compares the length of the source,
 * and crashes on data that a power failure cut. So a cache file has the source, and the data twice.
 */
function readCache(path, source) {
  try {
    const bytes = readFileSync(path);
    const middle = source.length + (bytes.length - source.length) / 2;
    const data = bytes.subarray(source.length, middle);
    const isValid = bytes.subarray(0, source.length).equals(source) && bytes.subarray(middle).equals(data);
    return isValid ? data : undefined;
  } catch {
    return undefined;
  }
}

/** At exit, V8 has compiled the functions that were called, and the answer is out. */
process.once('exit', () => {
  if ([...chunks.values()].every(({ isCached }) => isCached)) return;
  try {
    mkdirSync(cache, { recursive: true });
    for (const { source, script, cachePath } of chunks.values()) {
      const temporary = `${cachePath}.${process.pid}`;
      // Throws before the data are created if the package cannot be written, for instance because it is root's.
      writeFileSync(temporary, '');
      const data = script.createCachedData();
      writeFileSync(temporary, Buffer.concat([source, data, data]));
      renameSync(temporary, cachePath);
    }
  } catch {
    // The next run compiles the program again.
  }
});

module.exports = load('main.cjs');
if (require.main === module) module.exports.main(process.argv);
