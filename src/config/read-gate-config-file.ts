import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConfigFile, readConfig } from './find-project.ts';
import { type ParsedGateConfig, parseGateConfig } from './parse-gate-config.ts';
import type { GateConfigContext } from './parse-named-gate.ts';

/** Reads a gate config from its file. */
export async function readGateConfigFile(
  path: string,
  context: GateConfigContext,
): Promise<{ file: ConfigFile; parsed: ParsedGateConfig & { readonly resultsPath: string } }> {
  const file = readConfig(path) ?? { path, text: '', unreadable: whyMissing(path) };
  const parsed = await parseGateConfig(file.unreadable === undefined ? file.text : '{"gates": []}', context);
  // The pid tells apart what hooks that run at once leave.
  const name = parsed.outputPath.replaceAll('<pid>', String(process.pid));
  return { file, parsed: { ...parsed, resultsPath: resolve(context.directory, name) } };
}

function whyMissing(path: string): string {
  return existsSync(path) ? 'it is a directory' : 'there is no such file';
}
