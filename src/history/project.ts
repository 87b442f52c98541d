import { existsSync } from 'node:fs';
import { findProject, readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { type LogRecord, readLog } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/paths.ts';
import type { JudgedStop, TranscriptProject } from './judge-turn.ts';

/** Returns the project of a directory, as it is now. Each is read once. */
export function projectReader(): (directory: string) => Promise<TranscriptProject> {
  const projects = new Map<string, Promise<TranscriptProject>>();
  return (directory) => {
    const known = projects.get(directory) ?? readTranscriptProject(directory);
    projects.set(directory, known);
    return known;
  };
}

async function readTranscriptProject(directory: string): Promise<TranscriptProject> {
  const none = { root: directory, gates: undefined, stops: new Map(), ralphLoopSince: undefined };
  // The gates of a directory that is gone are not those of a directory around it.
  if (!existsSync(directory)) return none;
  const found = findProject(directory, { orAround: true });
  const root = found.ok ? found.value.root : (found.failure.repository ?? directory);
  const log = readLog(ralphDirectory(root));
  return {
    root,
    gates: found.ok ? await gatesOf(found.value) : undefined,
    stops: stopsIn(log),
    ralphLoopSince: log.length === 0 ? undefined : Math.min(...log.map(({ time }) => Date.parse(time))),
  };
}

async function gatesOf(project: Parameters<typeof readProject>[0]): Promise<readonly string[] | undefined> {
  const { gates } = await readProject(project, readCurrentTask(project.root));
  const commands = gates.flatMap((gate) => (gate.kind === 'command' ? [gate.command] : []));
  return commands.length > 0 ? commands : undefined;
}

function stopsIn(log: readonly LogRecord[]): Map<string, JudgedStop[]> {
  const stops = new Map<string, JudgedStop[]>();
  for (const { session, time, gates, why } of log) {
    if (session === null || gates.length === 0) continue;
    const passed = why === 'commands-passed';
    // A stop may be blocked although its gates have passed, or while they run: then it says nothing about them.
    if (!passed && gates.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped')) continue;
    const ofSession = stops.get(session) ?? [];
    ofSession.push({ at: Date.parse(time), passed });
    stops.set(session, ofSession);
  }
  return stops;
}
