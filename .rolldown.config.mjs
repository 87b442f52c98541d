import { resolve } from 'node:path';
import { defineConfig } from 'rolldown';

// The program is CommonJS, because on Node 20 the start of the ESM loader takes longer than the hook takes to ignore an
// event. The commands share the chunks of the hook.
// The board, which only `watch` loads, is an ES module: Ink compiles its layout engine by a top-level await.
const board = resolve('src/watch/show-board.tsx');
// With DEV=true, which is set for other programs too, Ink loads React's developer tools and its own package.json.
const inkWithoutDevelopment = {
  name: 'ink-without-development',
  load: {
    filter: { id: /\/ink\/build\/(?:utils|devtools)\.js$/ },
    handler: () => 'export const isDev = () => false;',
  },
};
// import() would start the ESM loader, which takes longer than the hook takes to ignore an event.
const requireBuiltins = {
  name: 'require-builtins',
  transform: {
    filter: { code: /\bimport\('node:/ },
    handler: (code) =>
      code.replaceAll(/\bimport\(('node:[^']+')\)/g, 'Promise.resolve().then(() => require($1))'),
  },
};
// The names and the examples of the rows in the tables of rules are for their tests.
const NAME = /(?:'[^'\n]+'|"[^"\n]+"|\b\w+): (?=\{\s*pattern:)/g;
const EXAMPLE = /\bexample:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),?/g;
const withoutWordsOfRows = {
  name: 'without-words-of-rows',
  transform: {
    filter: { id: /\/src\/diagnostics\/(?:[\w-]+\/)?[\w-]+\.ts$/, code: /\bexample:\s*['"`]/ },
    handler: (code) => {
      let row = 0;
      return code.replaceAll(EXAMPLE, '').replaceAll(NAME, () => `r${row++}: `);
    },
  },
};
// The main file of jsonc-parser is UMD, whose require() no bundler can follow.
const libraries = { mainFields: ['module', 'main'] };
const cjs = {
  format: 'cjs',
  minify: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
};
// Node decodes a file of ASCII characters faster, and into a string of half the size.
const onlyAscii = {
  name: 'only-ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
  },
};
// One file less to load for a stop.
const inlineRuntime = {
  name: 'inline-runtime',
  generateBundle(_, files) {
    const name = 'rolldown-runtime.cjs';
    const runtime = `(exports=>{${files[name].code};return exports})({})`;
    delete files[name];
    for (const file of Object.values(files))
      file.code = file.code.replace(`require("./${name}")`, () => runtime);
  },
};
/** A chunk with the given modules and all their imports, except those in a chunk of higher priority. */
const chunk = (name, priority, ...modules) => ({
  name,
  priority,
  test: (id) => modules.some((module) => id.endsWith(`/src/${module}`)),
  includeDependenciesRecursively: true,
});
export default defineConfig([
  {
    input: { main: 'src/cli/main.ts' },
    platform: 'node',
    plugins: [requireBuiltins, withoutWordsOfRows, onlyAscii, inlineRuntime],
    resolve: libraries,
    external: [board],
    // What other chunks share with main stays in main, as additional exports.
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...cjs,
      dir: 'dist/program',
      codeSplitting: {
        groups: [
          { name: 'yaml', priority: 6, test: /[\\/](?:node_modules[\\/]yaml|config[\\/]parse-yaml)\b/ },
          {
            name: 'json',
            priority: 6,
            test: /[\\/](?:node_modules[\\/]jsonc-parser|config[\\/]parse-json)\b/,
          },
          // An ignored event loads main; a stop loads `stop` too, and `failure` if a gate prints or fails.
          chunk('main', 4, 'cli/main.ts'),
          chunk('stop', 3, 'hook/handle-stop.ts'),
          // A stop whose gates have to run.
          chunk('run', 2, 'verification/start-or-join.ts', 'verification/runner.ts'),
          chunk(
            'failure',
            2,
            'verification/record-failure.ts',
            'diagnostics/output/condenser.ts',
            'diagnostics/test-count.ts',
            'messages/agent.ts',
          ),
          // A stop in a repository whose files are compared; `find` if one of them changed.
          chunk('integrity', 2, 'verification/check-integrity.ts'),
          chunk('chain', 1, 'hook/handle-chain.ts', 'hook/handle-prompt.ts', 'checkpoint/settle.ts'),
        ],
      },
      paths: { [board]: './board.mjs' },
    },
  },
  {
    input: { board },
    platform: 'node',
    plugins: [inkWithoutDevelopment],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: {
      dir: 'dist/program',
      format: 'esm',
      minify: true,
      entryFileNames: '[name].mjs',
      codeSplitting: false,
    },
  },
  {
    input: { index: 'src/index.ts' },
    platform: 'node',
    plugins: [withoutWordsOfRows],
    resolve: libraries,
    // Of the schemas, the library needs that of a gate.
    treeshake: {
      manualPureFunctions: ['option', 'gateOption', 'mappingOf', 'valueType'],
      propertyReadSideEffects: false,
    },
    // Editors read the docstrings in the types.
    output: { dir: 'dist/library', format: 'esm', minify: true, comments: { jsdoc: false } },
  },
]);
