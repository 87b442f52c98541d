#!/usr/bin/env node
// Loads the program with V8's code cache, because a hook spends a fifth of its time on compiling functions. Node's
// module.enableCompileCache does not cache functions that are compiled at their first call, and Node 20 does not have it.
// Node 12 reads this file and ralph-hook.cjs, and does not know `node:`.
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('fs');
const { join } = require('path');
const { Script } = require('vm');

const program = join(__dirname, '../dist/program');
const cache = join(__dirname, '../dist/.cache');
const WRAPPER = [Buffer.from('(function(exports,require,module,__filename){'), Buffer.from('\n})')];

/** All that an ignored event loads. */
const MAIN = 'main.cjs';
/**
 * V8 compiles an expression at its first use, and by default again at the second one. A failed gate uses a thousand, most of
 * them a few times: once takes 80 ms less. An ignored event uses few, and loading `v8` would take 3 ms.
 */
const COMPILE_EXPRESSIONS = { once: '--no-regexp-tier-up', byDefault: '--regexp-tier-up' };

/** The loaded chunks, with what their cache files consist of. */
const chunks = [];

/** Sets the flags with which a chunk is loaded. */
function setFlagsOf(name) {
  require('v8').setFlagsFromString(COMPILE_EXPRESSIONS[name === MAIN ? 'byDefault' : 'once']);
}

/** Returns the exports of a chunk. */
function load(name) {
  const filename = join(program, name);
  const loaded = require.cache[filename];
  if (loaded) return loaded.exports;
  if (name !== MAIN) setFlagsOf(name);
  const source = readFileSync(filename);
  // In a Script, import() is experimental.
  if (source.includes('import(')) return require(filename);
  const cachePath = join(cache, [name, process.version, process.arch, ...process.execArgv].join('-'));
  const cachedData = readCache(cachePath, source);
  const code = Buffer.concat([WRAPPER[0], source, WRAPPER[1]]).toString();
  const script = new Script(code, { filename, cachedData });
  // V8 rejects data of another version and of other flags.
  const isCached = cachedData !== undefined && !script.cachedDataRejected;
  chunks.push({ name, source, script, cachePath, isCached });
  const module = { id: filename, filename, exports: {}, loaded: true, children: [] };
  // Node finds it there for a chunk that it loads.
  require.cache[filename] = module;
  script.runInThisContext()(module.exports, requireInChunk, module, filename);
  return module.exports;
}

function requireInChunk(id) {
  return id.startsWith('./') ? load(id.slice('./'.length)) : require(id);
}

/**
 * Returns the cached data if they are of this source and undamaged. V8 checks neither: it compares the length of the
 * source, and crashes on data that a power failure has cut. So a cache file has the source, and the data twice.
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

/**
 * Writes the cache at the exit of a hook, and of the run that a hook has started: then the answer is out, and V8 has compiled the functions that hooks call. The
 * other commands share chunks with the hook, and call other functions.
 */
process.once('exit', () => {
  const isHook = process.argv.some((arg) => /^(?:(?:--)?hook|subagent-stop|own-run)$/.test(arg));
  if (!isHook || chunks.every(({ isCached }) => isCached)) return;
  try {
    mkdirSync(cache, { recursive: true });
    for (const { name, source, script, cachePath } of chunks) {
      const temporary = `${cachePath}.${process.pid}`;
      // Throws, before the data are created, if the package cannot be written: root may have installed it.
      writeFileSync(temporary, '');
      // Those of the next load.
      setFlagsOf(name);
      const data = script.createCachedData();
      writeFileSync(temporary, Buffer.concat([source, data, data]));
      renameSync(temporary, cachePath);
    }
  } catch {
    // The next run compiles the program again.
  }
});

/** Node could not parse the program, and would print a piece of it. */
function refuse() {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

const [major, minor] = process.versions.node.split('.').map(Number);
const isSupported = major > 20 || (major === 20 && minor >= 12);
const problem = `ralph-loop needs Node 20.12 or later; this is Node ${process.versions.node}.`;
module.exports = isSupported ? load(MAIN) : { main: refuse, gate: refuse, problem };
if (require.main === module) module.exports.main(process.argv);
