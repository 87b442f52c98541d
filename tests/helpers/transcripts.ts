import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Project } from './project.ts';

/** The recorded transcripts, `tests/fixtures/transcripts/<host>/<scenario>.jsonl`. */
const FIXTURES = join(import.meta.dirname, '../fixtures/transcripts');
/** The directory of the project in them. */
const RECORDED_ROOT = '/home/dev/shop';

/** Where each client keeps a transcript of this name in a home. */
const PLACES: Readonly<Record<string, (name: string) => string>> = {
  'claude-code': (name) => `.claude/projects/-home-dev-shop/${name}.jsonl`,
  codex: (name) => `.codex/sessions/2026/11/22/rollout-${name}.jsonl`,
  gemini: (name) => `.gemini/tmp/shop/chats/session-${name}.jsonl`,
  qwen: (name) => `.qwen/projects/-home-dev-shop/chats/${name}.jsonl`,
  'qwen-0.15': (name) => `.qwen/projects/-home-dev-shop/chats/${name}.jsonl`,
  copilot: (name) => `.copilot/session-state/${name}/events.jsonl`,
};

export const RECORDED_HOSTS = Object.keys(PLACES);

/** The names of the recorded transcripts of a client, each of which has one turn. */
export function recordedNames(host: string): string[] {
  return readdirSync(join(FIXTURES, host)).map((name) => name.replace('.jsonl', ''));
}

/** A recorded transcript, in the directory of a project. */
export function recordedTranscript(host: string, name: string, root = RECORDED_ROOT): string {
  return readFileSync(join(FIXTURES, host, `${name}.jsonl`), 'utf8').replaceAll(RECORDED_ROOT, root);
}

/** Puts recorded transcripts into the home of a project, as if the client had worked in the project. */
export function putTranscripts(project: Project, host: string, names: readonly string[]): void {
  for (const name of names)
    writeInHome(project, PLACES[host]?.(name) ?? '', recordedTranscript(host, name, project.root));
  if (host === 'gemini') writeInHome(project, '.gemini/tmp/shop/.project_root', project.root);
}

export function writeInHome({ home }: Project, path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
