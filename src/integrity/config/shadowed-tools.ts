// Programs and modules of the tree that come in place of those that judge.

import type { Finding, ProjectChange } from '../types.ts';
import { at, dataOf, isTable, lineOf } from './data.ts';
import { pathInTree, weakerVariable } from './options.ts';

const TOOLS = new Set(
  `npm npx node yarn pnpm bun deno corepack pytest py.test python python3 pip tox nox ruff mypy pyright black flake8 pylint uv poetry
   go gofmt golangci-lint cargo rustc clippy-driver vitest jest mocha ava c8 nyc playwright cypress tsc eslint prettier biome make just
   mvn gradle java javac dotnet msbuild phpunit php composer phpstan rspec ruby rake bundle rubocop git sh bash ctest cmake swift mix elixir`.split(
    /\s+/,
  ),
);
/** What package managers write, and programs that find the real one. */
const WRAPPER =
  /bundler\/setup|Gem\.bin_path|load Gem|Gem::Specification|bundler\.require|gradle-wrapper|maven-wrapper|MavenWrapper|APP_BASE_NAME|vendor_dir\s*=|basedir=\$\(dirname/;

const MODULES =
  /^(?:(?:src|lib|tests?)\/)?(?:pytest|_pytest|pluggy|_pytest\/\w+|hypothesis)(?:\.py|\/__init__\.py)$|^unittest(?:\.py|\/__init__\.py)$|(?:^|\/)(?:sitecustomize|usercustomize)\.py$|^(?:vitest|jest|mocha|chai|@jest|@vitest)\/[\w.-]+\.(?:[cm]?js|json)$|^(?:node_modules|vendor)\/(?:\.bin\/|@?[\w-]*(?:vitest|jest|mocha|chai|eslint|typescript|phpunit|rspec)[\w-]*\/)/;
const TEST_LIBRARY =
  /^\^?(?:vitest|jest|@jest\/\w+|@vitest\/\w+|chai|mocha|expect|node:(?:test|assert)|assert|@playwright\/test|@testing-library\/[\w-]+|ava|uvu|tap|sinon|supertest)\$?(?:\/.*)?$/;

/** Whether a step of GitHub puts a directory of the tree on PATH. */
const GITHUB_PATH =
  /echo\s+["']?(?:\$\{?PWD|\$\(pwd\)|\.\/|\$\{?GITHUB_WORKSPACE|\$\{\{\s*github\.workspace)(?!.*node_modules\/\.bin)[^\n]*>>\s*["']?\$\{?GITHUB_PATH/g;

/** Tools and libraries that a change replaces by files of the tree. */
export function findShadowedTools({ changes }: ProjectChange): Finding[] {
  return changes.flatMap(({ path, before, after }): Finding[] => {
    if (after === undefined) return [];
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:sh|cmd|bat|exe|ps1)$/, '');
    const found: Finding[] = [];
    const report = (message: string, severity: Finding['severity'] = 'high', ...words: string[]) => {
      const line = words.length > 0 ? lineOf(after, words) : undefined;
      found.push({ rule: 'tool-shadowed', severity, path, ...(line !== undefined && { line }), message });
    };
    const isNew = before === undefined || !/^#!/.test(before);
    if (TOOLS.has(name) && /^#!|^@echo off/i.test(after) && isNew && !WRAPPER.test(after))
      report(`a program of the tree is named like the tool \`${name}\``);
    else if (before === undefined && MODULES.test(path))
      report(`a module of the tree is named like the library \`${name.replace(/\.\w+$/, '')}\``);
    const paths = (text: string | undefined) => text?.match(GITHUB_PATH)?.length ?? 0;
    if (/workflows\/|actions\//.test(path) && paths(after) > paths(before))
      report('a directory of the tree is put before the programs of the system', 'medium', 'GITHUB_PATH');
    const known = new Set(aliasesIn(path, before).map(([from, to]) => `${from} ${to}`));
    for (const [from, to] of aliasesIn(path, after)) {
      if (
        !known.has(`${from} ${to}`) &&
        TEST_LIBRARY.test(from) &&
        /^(?:\.{1,2}\/|\/|<rootDir>|file:|link:|portal:|code:.*(?:resolve|join|new URL)|(?:src|tests?|stubs?|mocks?|lib|tools|scripts)\/)/.test(
          to,
        )
      )
        report(
          `\`${from.replace(/^\^|\$$/g, '')}\` is replaced by \`${to.replace(/^code:/, '')}\``,
          'high',
          from,
        );
    }
    const settings = new Map(settingsIn(path, before).toReversed());
    for (const [key, value] of settingsIn(path, after)) {
      const old = settings.get(key);
      if (old === value) continue;
      if (/(?:^|\/)\.npmrc$/.test(path)) {
        if (
          /^(?:script-shell|node-options|shell)$/.test(key) &&
          /\/|--(?:require|import|loader)|\.[cm]?js/.test(value) &&
          !/^\/(?:usr\/)?bin\/(?:ba|z)?sh$/.test(value)
        )
          report(`npm runs scripts with \`${key}=${value}\``, 'high', key);
        if (key === 'ignore-scripts' && value === 'true')
          report('npm runs no `pre` and `post` scripts', 'medium', key);
      } else if (key === 'PATH' ? pathInTree(value) !== pathInTree(old ?? '') : true)
        for (const { rule, severity, what } of weakerVariable(key, value, old))
          found.push({
            rule,
            severity: severity ?? 'high',
            path,
            line: lineOf(after, [key]),
            message: `the environment ${what}`,
          });
    }
    return found;
  });
}

/** The variables of an environment file, and the keys of npm's. */
function settingsIn(path: string, text: string | undefined): [string, string][] {
  if (text === undefined || !/(?:^|\/)\.(?:npmrc|env(?:\.[\w-]+)?|envrc)$/.test(path)) return [];
  const added = [...text.matchAll(/^\s*PATH_add\s+(\S+)/gm)].map(([, directory = '']): [string, string] => [
    'PATH',
    `./${directory}:$PATH`,
  ]);
  const data = dataOf(path, text);
  return [
    ...Object.entries(isTable(data) ? data : {}).map(([key, value]): [string, string] => [
      key.trim(),
      String(value),
    ]),
    ...added,
  ];
}

/** Names of modules that a configuration maps to other files. */
function aliasesIn(path: string, text: string | undefined): [string, string][] {
  if (
    text === undefined ||
    !/(?:^|\/)(?:package\.json|(?:[jt]sconfig|jest|vitest|vite|webpack)[\w.-]*\.(?:json|[cm]?[jt]s)|deno\.jsonc?)$/.test(
      path,
    )
  )
    return [];
  const found: [string, string][] = [];
  const tables = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) for (const item of value) tables(item, depth + 1);
    if (!isTable(value) || depth > 6) return;
    for (const [key, member] of Object.entries(value)) {
      if (
        /^(?:moduleNameMapper|paths|alias|imports|dependencies|devDependencies|overrides|resolutions)$/.test(
          key,
        )
      )
        pairs(member);
      tables(member, depth + 1);
    }
  };
  const pairs = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) {
        const [find, replacement] = [at(item, 'find'), at(item, 'replacement')];
        if (typeof find === 'string') found.push([find, String(replacement)]);
      }
    } else if (isTable(value))
      for (const [key, member] of Object.entries(value))
        found.push([key, String(Array.isArray(member) ? member[0] : member)]);
  };
  tables(dataOf(path, text), 0);
  return found;
}
