import { join, relative } from 'node:path';
import { Document } from 'yaml';
import { readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { defaultSettings, type Settings } from '../config/settings.ts';
import { problemsIn } from '../config/validate.ts';
import { parseWorktree, sectionOf, sliceSections } from '../config/worktree.ts';
import type { Gate } from '../gates/types.ts';
import type { ProposedGate } from './candidates.ts';
import type { SetupTarget } from './detect.ts';
import { EMPTY_PLAN, type Plan, readEditableFile } from './plan.ts';
import type { Program } from './program.ts';

/** The change of the config, with the settings and gates that the config has afterwards. */
interface ConfigPlan extends Plan {
  readonly settings: Settings;
  readonly gates: readonly Gate[];
}

/**
 * Plans the config of a project.
 *
 * @param gates the gates that the config gets; undefined or none keeps the config
 * @param program if it is installed in the project, the config refers to its schema
 */
export async function planConfig(
  { root, project }: SetupTarget,
  gates: readonly ProposedGate[] | undefined,
  program: Program,
): Promise<ConfigPlan> {
  if (gates === undefined || gates.length === 0) {
    if (!project) return { ...EMPTY_PLAN, settings: defaultSettings('stand-alone'), gates: [] };
    const { settings, gates: present, problems } = await readProject(project, readCurrentTask(root));
    return { ...EMPTY_PLAN, settings, gates: present, problems };
  }
  const { layout = 'stand-alone', config, gateConfig } = project ?? {};
  const defaultPath = layout === 'trellis' ? '.trellis/worktree.yaml' : 'worktree.yaml';
  const path = config === undefined ? defaultPath : relative(root, config.path);
  const file = readEditableFile(root, path);
  if (!file.ok)
    return { ...EMPTY_PLAN, settings: defaultSettings(layout), gates: [], problems: [file.failure.message] };
  const before = file.value;
  const yaml = worktreeYaml(gates, { withSchema: isInstalled(program) });
  const after = before === undefined ? yaml : withVerify(before, yaml);
  const { settings, gates: planned, problems } = await parseWorktree(after, layout, root);
  return {
    changes: before === after ? [] : [{ path, before, after }],
    remarks: [],
    problems: gateConfig
      ? [`The gates of this project are in ${relative(root, gateConfig.path)}: change them there.`]
      : problemsIn({ path: join(root, path), text: after }, problems, root),
    settings,
    gates: planned,
  };
}

/** Whether editors find the schema in the project's `node_modules`. */
function isInstalled(program: Program): boolean {
  return program.kind === 'in-project' && program.path.startsWith('node_modules/');
}

/** Replaces the `verify:` section of a config with the one of another config, or appends it. */
function withVerify(text: string, other: string): string {
  const lines = text.split(/(?<=\n)/);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const section = other.slice(other.search(/^verify:/m)).replaceAll('\n', eol);
  const present = sectionOf(sliceSections(text).sections, 'verify');
  if (!present) return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${section}`;
  const start = present.line - 1;
  // Blank lines and unindented comments after the list belong to the next section.
  const body = present.body.findLastIndex((line) => /^(?:\s*-|\s+\S|\])/.test(line)) + 1;
  return [...lines.slice(0, start), section, ...lines.slice(start + 1 + body)].join('');
}

const SCHEMA = ' yaml-language-server: $schema=./node_modules/ralph-loop/schema/worktree.json';
const HEADER = ` The gates that must hold before a coding agent may stop, cheap ones first.
 \`ralph-loop verify\` runs them now, \`ralph-loop verify <name>\` one of them.`;

/**
 * The text of a `worktree.yaml` with these gates. A gate that is named by its command is written as the command alone.
 *
 * @param options.withSchema whether editors get a reference to the schema in `node_modules`
 */
export function worktreeYaml(
  gates: readonly Pick<ProposedGate, 'name' | 'run' | 'timeoutSeconds'>[],
  { withSchema = false }: { readonly withSchema?: boolean } = {},
): string {
  const verify = gates.map(({ name, run, timeoutSeconds }) =>
    name === run && timeoutSeconds === undefined
      ? run
      : { name, run, ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }) },
  );
  const document = new Document({ verify });
  document.commentBefore = withSchema ? `${SCHEMA}\n${HEADER}` : HEADER;
  // Long commands are not folded.
  return document.toString({ lineWidth: 0 });
}
