import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { RunReport } from '../../src/gates/report.ts';
import type { Files, Project } from './project.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A gate.config.json of gates as they stand, with other members beside them. */
export function gateFiles(gates: readonly Fields[], more: Fields = {}): Files {
  return { 'gate.config.json': JSON.stringify({ gates, ...more }, null, 2) };
}

/** The names of the results files that lie in a directory of the project. */
export function resultsFilesIn(project: Project, directory = '.'): string[] {
  return readdirSync(project.path(directory)).filter((name) => /^gate-results-\d+\.json/.test(name));
}

/** The only results file of the default name. */
export function resultsOf(project: Project, directory = '.'): RunReport {
  const [name, ...others] = resultsFilesIn(project, directory);
  expect(others).toEqual([]);
  return JSON.parse(project.read(`${directory}/${name}`));
}
