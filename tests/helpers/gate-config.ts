import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { RunReport } from '../../src/gates/report.ts';
import type { Files, Project } from './project.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns a gate.config.json with these gates and other members. */
export function gateFiles(gates: readonly Fields[], more: Fields = {}): Files {
  return { 'gate.config.json': JSON.stringify({ gates, ...more }, null, 2) };
}

/** Returns the names of the results files in a directory of the project. */
export function resultsFilesIn(project: Project, directory = '.'): string[] {
  return readdirSync(project.path(directory)).filter((name) => /^gate-results-\d+\.json/.test(name));
}

/** Returns the only results file with the default name. */
export function resultsOf(project: Project, directory = '.'): RunReport {
  const [name, ...others] = resultsFilesIn(project, directory);
  expect(others).toEqual([]);
  return JSON.parse(project.read(`${directory}/${name}`));
}
