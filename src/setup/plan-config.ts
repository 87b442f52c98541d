import { join, relative } from 'node:path';
import { readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { defaultSettings, type Settings } from '../config/settings.ts';
import { problemsIn } from '../config/validate.ts';
import { parseWorktree, sectionOf, sliceSections } from '../config/worktree.ts';
import type { Gate } from '../gates/types.ts';
import { readPresentFile } from './file-change.ts';
import type { Program } from './find-program.ts';
import type { Place } from './place.ts';
import type { Plan } from './plan.ts';
import type { ProposedGate } from './proposed-gate.ts';
import { worktreeYaml } from './worktree-yaml.ts';

/** The change of the config, and what it asks for then. */
export interface PlannedConfig extends Plan {
  readonly settings: Settings;
  readonly gates: readonly Gate[];
}

/**
 * Plans the config of a project.
 *
 * @param gates those that it shall have; undefined leaves it as it is
 * @param program whose schema an editor may be told
 */
export async function planConfig(
  { root, project }: Place,
  gates: readonly ProposedGate[] | undefined,
  program: Program,
): Promise<PlannedConfig> {
  const none = { changes: [], remarks: [], problems: [] };
  if (gates === undefined || gates.length === 0) {
    if (!project) return { ...none, settings: defaultSettings('stand-alone'), gates: [] };
    const { settings, gates: present, problems } = await readProject(project, readCurrentTask(root));
    return { ...none, settings, gates: present, problems };
  }
  const { layout = 'stand-alone', config, gateConfig } = project ?? {};
  const path = config === undefined ? defaultPath(layout) : relative(root, config.path);
  const file = readPresentFile(root, path);
  if ('why' in file) return { ...none, settings: defaultSettings(layout), gates: [], problems: [file.why] };
  const { text: before } = file;
  const yaml = worktreeYaml(gates, { withSchema: hasSchema(program) });
  const after = before === undefined ? yaml : withVerify(before, yaml);
  const { settings, gates: planned, problems } = await parseWorktree(after, layout, root);
  const refused = gateConfig
    ? [`The gates of this project come from ${relative(root, gateConfig.path)}: change them there.`]
    : problemsIn({ path: join(root, path), text: after }, problems, root);
  const changes = before === after ? [] : [{ path, before, after }];
  return { changes, remarks: [], problems: refused, settings, gates: planned };
}

/** Whether the project has the package installed where editors find its schema. */
function hasSchema(program: Program): boolean {
  return program.kind === 'in-project' && program.path.startsWith('node_modules/');
}

function defaultPath(layout: 'trellis' | 'stand-alone'): string {
  return layout === 'trellis' ? '.trellis/worktree.yaml' : 'worktree.yaml';
}

/** The text with the `verify:` of another one in the place of its own, or at its end. */
function withVerify(text: string, other: string): string {
  const lines = text.split(/(?<=\n)/);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const section = other.slice(other.search(/^verify:/m)).replaceAll('\n', eol);
  const present = sectionOf(sliceSections(text).sections, 'verify');
  if (!present) return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${section}`;
  const start = present.line - 1;
  // Blank lines and comments at the margin below the list belong to what comes next.
  const body = present.body.findLastIndex((line) => /^(?:\s*-|\s+\S|\])/.test(line)) + 1;
  return [...lines.slice(0, start), section, ...lines.slice(start + 1 + body)].join('');
}
