import { join, relative } from 'node:path';
import { Document } from 'yaml';
import { readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { defaultSettings, type Settings } from '../config/settings.ts';
import { problemsIn } from '../config/validate.ts';
import { hasContent, parseWorktree, sectionOf, sliceItems, sliceSections } from '../config/worktree.ts';
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
  const isTrellis = layout === 'trellis';
  const yaml = isTrellis
    ? await trellisYaml(gates, root)
    : worktreeYaml(gates, { withSchema: isInstalled(program), withJobs: before === undefined });
  const verified = before === undefined ? yaml : withVerify(before, yaml);
  const after = isTrellis ? withTimeout(verified, gates) : verified;
  const { settings, gates: planned, problems } = await parseWorktree(after, layout, root);
  const slowest = slowestSeconds(gates);
  const isTooShort = isTrellis && settings.commandTimeoutSeconds < slowest;
  return {
    changes: before === after ? [] : [{ path, before, after }],
    remarks: isTooShort
      ? [`${path}: a gate may take ${slowest} s; set "command_timeout: ${slowest}" below "ralph:".`]
      : [],
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

/** Whether a config lists gates, also ones that are disabled or invalid. Trellis's own file only has comments there. */
export function listsGates(text: string): boolean {
  const present = sectionOf(sliceSections(text).sections, 'verify');
  if (present === undefined) return false;
  return sliceItems(present).items.length > 0 || !/^\s*(\[\s*\]|null|~)?\s*(#.*)?$/.test(present.inline);
}

/** Replaces the `verify:` section of a config with the one of another config, or appends it. */
function withVerify(text: string, other: string): string {
  const lines = text.split(/(?<=\n)/);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const section = other.slice(other.search(/^verify:/m)).replaceAll('\n', eol);
  const present = sectionOf(sliceSections(text).sections, 'verify');
  if (!present) return withLastLine(text, eol) + section;
  const { line, inline, body } = present;
  if (![inline, ...body].some(hasContent)) {
    // Comments such as Trellis's examples stay, and the gates follow them. Unindented ones belong to the next section.
    const [unindented = body.length] = body.flatMap((each, index) => (/^\S/.test(each) ? [index] : []));
    const end = line + body.slice(0, unindented).findLastIndex((each) => /^\s+#/.test(each)) + 1;
    const items = section.slice(section.indexOf('\n') + 1);
    return withLastLine(lines.slice(0, end).join(''), eol) + items + lines.slice(end).join('');
  }
  // Blank lines and unindented comments after the list belong to the next section.
  const end = line + body.findLastIndex((each) => /^(?:\s*-|\s+\S|\])/.test(each)) + 1;
  return [...lines.slice(0, line - 1), section, ...lines.slice(end)].join('');
}

function withLastLine(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eol;
}

/** Gates without options have no timeout of their own: the slowest one decides, unless the config has settings already. */
function withTimeout(text: string, gates: readonly ProposedGate[]): string {
  const seconds = slowestSeconds(gates);
  const isEnough = seconds <= defaultSettings('trellis').commandTimeoutSeconds;
  if (isEnough || sectionOf(sliceSections(text).sections, 'ralph')) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${withLastLine(text, eol)}${eol}ralph:${eol}  command_timeout: ${seconds} # seconds, for each gate${eol}`;
}

function slowestSeconds(gates: readonly ProposedGate[]): number {
  return Math.max(0, ...gates.map(({ timeoutSeconds = 0 }) => timeoutSeconds));
}

/**
 * A `worktree.yaml` that Trellis's own parser reads too: it takes each item below `verify:` as a command, as it is
 * written. A command for which that is not possible is an item of YAML.
 */
async function trellisYaml(gates: readonly ProposedGate[], root: string): Promise<string> {
  const items = gates.map(async ({ run, cwd }) => {
    const command = cwd === undefined ? run : `cd ${shellWord(cwd)} && ${run}`;
    const plain = `verify:\n  - ${command}\n`;
    const parsed = await parseWorktree(plain, 'trellis', root);
    const isPlain =
      !command.includes('\n') && parsed.gates.length === 1 && parsed.gates[0]?.command === command;
    return isPlain ? plain : worktreeYaml([{ name: command, run: command }]);
  });
  const lists = (await Promise.all(items)).map((yaml) =>
    yaml.slice(yaml.search(/^verify:/m) + 'verify:\n'.length),
  );
  return `#${HEADER.replaceAll('\n', '\n#')}\n\nverify:\n${lists.join('')}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const SCHEMA = ' yaml-language-server: $schema=./node_modules/ralph-loop-cli/schema/worktree.json';
const HEADER = ` The gates that must hold before a coding agent may stop, cheap ones first.
 \`ralph-loop verify\` runs them now, \`ralph-loop verify <name>\` one of them.`;

const JOBS = `
ralph:
  jobs: auto # gates run at the same time, except exclusive ones
`;

/**
 * The text of a `worktree.yaml` with these gates. A gate that is named by its command is written as the command alone.
 *
 * @param options.withSchema whether editors get a reference to the schema in `node_modules`
 * @param options.withJobs whether gates run at the same time
 */
export function worktreeYaml(
  gates: readonly Pick<ProposedGate, 'name' | 'run' | 'cwd' | 'timeoutSeconds' | 'exclusive'>[],
  {
    withSchema = false,
    withJobs = false,
  }: { readonly withSchema?: boolean; readonly withJobs?: boolean } = {},
): string {
  const verify = gates.map(({ name, run, cwd, timeoutSeconds: timeout, exclusive }) => {
    const options = {
      ...(cwd !== undefined && { cwd }),
      ...(timeout !== undefined && { timeout }),
      ...(exclusive && { exclusive }),
    };
    return name === run && Object.keys(options).length === 0 ? run : { name, run, ...options };
  });
  const document = new Document({ verify });
  document.commentBefore = withSchema ? `${SCHEMA}\n${HEADER}` : HEADER;
  // Long commands are not folded.
  return `${document.toString({ lineWidth: 0 })}${withJobs ? JOBS : ''}`;
}
