// A file that declares commands (scripts, targets, steps of CI) → the checks in it, each with its place.

import { LANGUAGES } from '../languages.ts';
import { lex, type Token } from '../lexer.ts';
import { checksIn, isBuildName, isCheckName, isNoCheckName, subjectOfName } from './checks.ts';
import type { PlacedCheck } from './commands.ts';
import { at, dataOf, isTable, listOf, type Table } from './data.ts';
import { isOutput } from './patterns.ts';
import { PLAIN_SHELL, type ShellOptions } from './shell.ts';

/** A script with what surrounds it. */
interface Step {
  /** What declares it: `script test`, `job unit › Run tests`. */
  readonly name: string;
  readonly script: string;
  readonly shell?: ShellOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly ignoredBy?: string | undefined;
  readonly disabledBy?: string | undefined;
  readonly condition?: string | undefined;
  /** Every program of it checks something, because its name says so. */
  readonly everything?: boolean;
  /** A check that is no command: an action of GitHub, a hook of pre-commit. */
  readonly check?: { readonly tool: string; readonly args: readonly string[] };
}

type StepReader = (path: string, text: string) => readonly Step[];

const FAILING: ShellOptions = { errexit: true, pipefail: false };
const STRICT: ShellOptions = { errexit: true, pipefail: true };

const READERS: readonly (readonly [path: RegExp, reader: StepReader])[] = [
  [/(?:^|\/)package\.json$/, packageSteps],
  [/(?:^|\/)composer\.json$/, composerSteps],
  [/(?:^|\/)deno\.jsonc?$/, (path, text) => namedSteps(at(dataOf(path, text), 'tasks'), 'script')],
  [/(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/, (_, text) => makeSteps(text, 'make')],
  [/(?:^|\/)\.?[Jj]ustfile$|\.just$/, (_, text) => makeSteps(text, 'just')],
  [/(?:^|\/)pyproject\.toml$/, pyprojectSteps],
  [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, (_, text) => aliasSteps(text)],
  [/(?:^|\/)(?:tox\.ini|setup\.cfg)$/, toxSteps],
  [/(?:^|\/)noxfile\.py$/, (_, text) => noxSteps(text)],
  [/(?:^|\/)(?:Rakefile|.*\.rake)$/, (_, text) => calledSteps(text, 'ruby', /^sh$/)],
  [/(?:^|\/)Jenkinsfile[\w.]*$/, (_, text) => calledSteps(text, 'java', /^(?:sh|bat|powershell)$/)],
  [
    /(?:^|\/)(?:Dockerfile|Containerfile)[\w.]*$|\.dockerfile$|(?:^|\/)Earthfile$/,
    (_, text) => dockerSteps(text),
  ],
  [/(?:^|\/)\.?lefthook(?:-local)?\.ya?ml$/, (path, text) => yamlSteps(dataOf(path, text), PLAIN_SHELL)],
  [/(?:^|\/)\.pre-commit-config\.ya?ml$/, (path, text) => preCommitSteps(dataOf(path, text))],
  [/(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/, (path, text) => yamlSteps(dataOf(path, text), FAILING)],
  [
    /(?:^|\/)\.lintstagedrc(?:\.json|\.ya?ml)?$/,
    (path, text) => namedSteps(dataOf(path, text), 'lint-staged'),
  ],
  [
    /(?:^|\/)\.github\/(?:workflows|actions)\/.*\.ya?ml$|(?:^|\/)action\.ya?ml$|\.(?:gitea|forgejo)\/workflows\//,
    (path, text) => workflowSteps(dataOf(path, text)),
  ],
  [/(?:^|\/)\.gitlab-ci\.ya?ml$|\.gitlab\/.*\.ya?ml$/, (path, text) => gitlabSteps(dataOf(path, text), text)],
  [
    /(?:^|\/)(?:docker-compose.*|compose.*)\.ya?ml$/,
    (path, text) => yamlSteps(at(dataOf(path, text), 'services'), PLAIN_SHELL),
  ],
  [
    /(?:^|\/)(?:\.circleci\/.*|azure-pipelines.*|\.azure.*|bitbucket-pipelines|\.travis|\.?appveyor|\.drone|\.woodpecker.*|\.buildkite\/.*|buildkite.*|cloudbuild|\.semaphore\/.*|codemagic|\.cirrus|\.builds\/.*)\.ya?ml$/,
    (path, text) => yamlSteps(dataOf(path, text), STRICT),
  ],
  [
    /\.(?:sh|bash|zsh)$|(?:^|\/)\.husky\/[\w-]+$|(?:^|\/)\.githooks\/[\w-]+$|(?:^|\/)(?:scripts?|script|ci|bin|hack|tools|\.ci)\/[\w-]+$/,
    shellSteps,
  ],
];

/** Whether a file of this path declares commands. */
export function declaresCommands(path: string): boolean {
  return READERS.some(([pattern]) => pattern.test(path));
}

/** What a file declares. */
export interface Declared {
  readonly checks: readonly PlacedCheck[];
  /** The names of all its steps, with and without checks. */
  readonly steps: ReadonlySet<string>;
}

/** The checks that a file declares. */
export function declaredIn(path: string, text: string | undefined): Declared {
  const reader = text === undefined ? undefined : READERS.find(([pattern]) => pattern.test(path))?.[1];
  if (!reader || text === undefined) return { checks: [], steps: new Set() };
  const steps = reader(path, text);
  return {
    checks: steps.flatMap((step) => checksOfStep(path, step)),
    steps: new Set(steps.map(({ name }) => name)),
  };
}

function checksOfStep(path: string, step: Step): PlacedCheck[] {
  const { name, script, shell, env = {}, everything, check, ignoredBy, disabledBy, condition } = step;
  // A job of CI checks what it runs, whatever its name is.
  const [, own] = /^(?:script|make|just|task|poe|pdm|pixi|hatch|alias|file) (\S+)$/.exec(name) ?? [];
  if (own !== undefined && isNoCheckName(own) && !/ --(?:check|list-different)\b/.test(script)) return [];
  const shared = { path, step: name, mayGo: own !== undefined && isBuildName(own) };
  if (check) {
    const { tool, args } = check;
    const text = tool.replace(/^uses /, '');
    return [
      {
        ...shared,
        tool,
        args,
        subject: subjectOfName(tool),
        text,
        env,
        line: 0,
        ignoredBy,
        disabledBy,
        condition,
      },
    ];
  }
  return checksIn(script, { ...(shell && { shell }), everything: everything ?? false }).map((found) => ({
    ...shared,
    ...found,
    env: { ...env, ...found.env },
    ignoredBy: found.ignoredBy ?? ignoredBy,
    disabledBy,
    condition: found.condition ?? condition,
  }));
}

/** A table of scripts by their names; a list of commands is run one after another. */
function namedSteps(scripts: unknown, kind: string): Step[] {
  if (!isTable(scripts)) return [];
  return Object.entries(scripts).flatMap(([name, value]) => {
    const commands = commandsOf(value);
    return commands === undefined
      ? []
      : [{ name: `${kind} ${name}`, script: commands, everything: isCheckName(name), shell: FAILING }];
  });
}

function commandsOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const lines = value.filter((item) => typeof item === 'string');
    return lines.length > 0 ? lines.join('\n') : undefined;
  }
  return isTable(value) ? commandsOf(value.cmd ?? value.command ?? value.shell ?? value.script) : undefined;
}

function packageSteps(path: string, text: string): Step[] {
  const data = dataOf(path, text);
  // A part of the file without its frame: `"test": "vitest run"`.
  const scripts = at(data, 'scripts') ?? (isTable(data) && !/^\s*\{/.test(text) ? data : undefined);
  return [
    ...namedSteps(scripts, 'script').map((step) => ({ ...step, shell: PLAIN_SHELL })),
    ...namedSteps(at(data, 'lint-staged'), 'lint-staged'),
    ...namedSteps(at(data, 'husky', 'hooks'), 'hook'),
    ...namedSteps(at(data, 'simple-git-hooks'), 'hook'),
  ];
}

function composerSteps(path: string, text: string): Step[] {
  return namedSteps(at(dataOf(path, text), 'scripts'), 'script').map((step) => ({
    ...step,
    script: step.script.replace(/^@(?!php\b)([\w:-]+)/gm, 'composer $1').replace(/^@php /gm, 'php '),
  }));
}

function pyprojectSteps(path: string, text: string): Step[] {
  const tool = at(dataOf(path, text), 'tool');
  const environments = at(tool, 'hatch', 'envs');
  return [
    ...namedSteps(at(tool, 'poe', 'tasks'), 'poe'),
    ...namedSteps(at(tool, 'taskipy', 'tasks'), 'task'),
    ...namedSteps(at(tool, 'pdm', 'scripts'), 'pdm'),
    ...namedSteps(at(tool, 'pixi', 'tasks'), 'pixi'),
    ...Object.values(isTable(environments) ? environments : {}).flatMap((each) =>
      namedSteps(at(each, 'scripts'), 'hatch'),
    ),
  ];
}

function aliasSteps(text: string): Step[] {
  const aliases = at(dataOf('config.toml', text), 'alias');
  return Object.entries(isTable(aliases) ? aliases : {}).map(([name, value]) => ({
    name: `alias ${name}`,
    script: `cargo ${Array.isArray(value) ? value.join(' ') : value}`,
  }));
}

function toxSteps(path: string, text: string): Step[] {
  const data = dataOf(path, text);
  return Object.entries(isTable(data) ? data : {}).flatMap(([section, values]) => {
    if (!/^(?:tox:)?testenv/.test(section) || !isTable(values)) return [];
    const lines = String(values.commands ?? '')
      .replace(/\\\n\s*/g, ' ')
      .split('\n');
    const ignored = ['ignore_outcome', 'ignore_errors'].find((key) =>
      /^(?:true|1)$/i.test(String(values[key] ?? '')),
    );
    return lines.map((line) => ({
      name: `env ${section}`,
      script: line.replace(/^\s*[-!]\s*/, ''),
      ignoredBy: /^\s*-/.test(line) ? '- before the command' : ignored,
    }));
  });
}

/** Targets of make and just: each line is a script of its own. */
function makeSteps(text: string, tool: 'make' | 'just'): Step[] {
  const steps: Step[] = [];
  const variables = new Map<string, string>();
  const lines = text.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/);
  const ignoresAll = /^MAKEFLAGS\s*[:+?]?=.*(?:\s|^)(?:-i|--ignore-errors|i)\b/m.test(text)
    ? 'MAKEFLAGS'
    : /^SHELL\s*[:?]{0,3}=(?!.*(?:sh|cmd)(?:\.exe)?\s*$).*\S/m.exec(text)?.[0];
  const shell = /^\.?SHELLFLAGS\s*[:?]?=.*pipefail/m.test(text) ? STRICT : PLAIN_SHELL;
  const ignored = new Set<string>();
  const conditions: string[] = [];
  /** The rule whose recipe a target has: the last one. */
  const rules = new Map<string, number>();
  const rulesOf = new Map<Step, number>();
  let number = 0;
  let targets: readonly string[] = [];
  const expand = (line: string) =>
    line.replace(/\$[({]([\w.-]+)[)}]|\{\{\s*([\w-]+)\s*\}\}/g, (whole, name, other) => {
      const value = variables.get(name ?? other);
      if (value !== undefined) return value;
      return name === 'MAKE' ? 'make' : whole;
    });
  for (const line of lines) {
    if (/^\s*if(?:n?def|n?eq)\b/.test(line)) conditions.push(line.trim());
    if (/^\s*endif\b/.test(line)) conditions.pop();
    if (tool === 'make' && /^\s*(?:if(?:n?def|n?eq)|else|endif)\b/.test(line)) continue;
    const [, variable, value = ''] =
      /^(?:export\s+)?([\w.-]+)\s*(?:::?|\?|\+)?=\s*([\s\S]*)$/.exec(line) ?? [];
    const rule = /^([^\s#:=][^:=#]*?)\s*:(?![=:])([^=]*)$/.exec(line);
    if (variable !== undefined) {
      const known = /^[\w.-]+\s*\+=/.test(line) ? `${variables.get(variable) ?? ''} ` : '';
      variables.set(
        variable,
        known +
          expand(value.replace(/\s#.*$/, '').replace(/^(["'])(.*)\1$/, tool === 'just' ? '$2' : '$1$2$1')),
      );
    } else if (rule) {
      const [, names = '', prerequisites = ''] = rule;
      number++;
      if (/^\.IGNORE$/.test(names)) for (const name of prerequisites.trim().split(/\s+/)) ignored.add(name);
      targets = tool === 'just' ? names.replace(/^@/, '').split(/\s+/).slice(0, 1) : names.split(/\s+/);
      const [needed = '', inline] = prerequisites.split(';');
      if (names.startsWith('.')) continue;
      for (const target of targets)
        steps.push(
          ...needed
            .trim()
            .split(/\s+/)
            .filter((name) => /^[\w:-]+$/.test(name))
            .map((name) => ({ name: `${tool} ${target}`, script: `${tool} ${name}` })),
        );
      if (inline) for (const target of targets) steps.push(recipe(target, inline));
    } else if (/^[ \t]+\S/.test(line)) for (const target of targets) steps.push(recipe(target, line));
  }
  const current = steps.filter(
    (step) => rulesOf.get(step) === undefined || rulesOf.get(step) === rules.get(step.name),
  );
  return current.map((step) => {
    const target = step.name.slice(step.name.indexOf(' ') + 1);
    const isIgnored = ignored.has(target) || ignored.has('');
    return { ...step, ignoredBy: step.ignoredBy ?? ignoresAll ?? (isIgnored ? '.IGNORE' : undefined) };
  });

  function recipe(target: string, line: string): Step {
    const [, prefix = '', command = ''] = /^\s*([-@+]*)\s*([\s\S]*)$/.exec(expand(line)) ?? [];
    const condition = conditions.find((each) => !/OS|UNAME/i.test(each));
    const step: Step = {
      name: `${tool} ${target}`,
      script: command.replaceAll('$$', '$'),
      shell,
      everything: isCheckName(target),
      ignoredBy: prefix.includes('-') ? '- before the command' : undefined,
      condition,
    };
    // Rules with two colons add up.
    if (tool === 'make' && !/^\S+\s*::/m.test(text)) {
      rules.set(step.name, number);
      rulesOf.set(step, number);
    }
    return step;
  }
}

function shellSteps(path: string, text: string): Step[] {
  if (!/\.(?:sh|bash|zsh)$|\.husky\//.test(path) && !/^#!.*\b(?:ba|z|da)?sh\b/.test(text)) return [];
  const errexit = /^#!.*\bsh\s+-\w*e/.test(text) || path.includes('.husky/');
  return [{ name: `file ${path}`, script: text, shell: { errexit, pipefail: false } }];
}

function dockerSteps(text: string): Step[] {
  const lines = text.replace(/\\\r?\n(?:\s*#.*\n)*/g, ' ').split(/\r?\n/);
  return lines.flatMap((line) => {
    const [, command] = /^\s*RUN\s+((?:--\S+\s+)*[\s\S]*)$/i.exec(line) ?? [];
    return command === undefined ? [] : [{ name: 'image', script: command.replace(/^(?:--\S+\s+)+/, '') }];
  });
}

/** Commands in the arguments of calls, such as `sh 'npm test'` of Jenkins and Rake. */
function calledSteps(text: string, language: 'java' | 'ruby', callee: RegExp): Step[] {
  const { tokens } = lex(text, {
    ...LANGUAGES[language],
    strings: [
      { open: '"""', close: '"""', escapes: true, multiline: true },
      { open: "'''", close: "'''", escapes: true, multiline: true },
      ...LANGUAGES[language].strings,
    ],
  });
  const open: { readonly end: number; readonly ignoredBy?: string; readonly name?: string }[] = [];
  const steps: Step[] = [];
  for (const [index, token] of tokens.entries()) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < index) open.pop();
    const next = tokens[index + 1];
    if (/^(?:catchError|warnError)$/.test(token.text) && next) {
      const close = next.text === '(' ? next.partner : index;
      const args = tokens
        .slice(index, close)
        .map((each) => each.text)
        .join(' ');
      const block = tokens[close + 1];
      if (block?.text === '{' && !/buildResult : ['"]FAILURE/.test(args))
        open.push({ end: block.partner, ignoredBy: token.text });
    }
    if (/^(?:stage|task)$/.test(token.text)) {
      const label = tokens
        .slice(index + 1, index + 4)
        .find((each) => each.kind === 'string' || (each.kind === 'name' && language === 'ruby'));
      if (label) open.push({ end: Number.POSITIVE_INFINITY, name: label.text.replace(/['":]/g, '') });
    }
    if (!callee.test(token.text) || token.kind !== 'name' || !next) continue;
    const args = next.text === '(' && next.partner > index ? tokens.slice(index + 2, next.partner) : [next];
    const script = args.find((each) => each.kind === 'string');
    if (!script) continue;
    const status = args.some(
      (each, offset) => each.text === 'returnStatus' && args[offset + 2]?.text === 'true',
    );
    const end = next.text === '(' ? next.partner + 1 : index + 2;
    const hasBlock = tokens.slice(end, end + 2).some(({ text: word }) => word === 'do');
    const block = hasBlock ? tokens.slice(index, index + 40) : [];
    const isHandled =
      block.length > 0 && !block.some(({ text: word }) => /^(?:fail|raise|abort|exit|exit!)$/.test(word));
    const isUsed =
      tokens[index - 1]?.text === '=' ||
      tokens[index - 1]?.text === '(' ||
      tokens[index - 1]?.text === 'return';
    steps.push({
      name: `stage ${open.findLast(({ name }) => name !== undefined)?.name ?? ''}`,
      script: stringText(script),
      shell: FAILING,
      ignoredBy:
        open.findLast(({ ignoredBy }) => ignoredBy !== undefined)?.ignoredBy ??
        (status && !isUsed ? 'returnStatus: true' : undefined) ??
        (isHandled ? 'do |ok|' : undefined),
    });
  }
  return steps;
}

function stringText({ text }: Token): string {
  return text.replace(/^[a-zA-Z]*(?:"""|'''|["'])|(?:"""|'''|["'])$/g, '').replace(/\\(["'\\])/g, '$1');
}

/** `session.run("pytest", "tests")` of nox. */
function noxSteps(text: string): Step[] {
  const { tokens } = lex(text, LANGUAGES.python);
  let name = '';
  let skipped: string | undefined;
  return tokens.flatMap((token, index) => {
    if (token.text === 'def') {
      name = tokens[index + 1]?.text ?? '';
      skipped = undefined;
    }
    if (token.text === 'skip' && tokens[index - 1]?.text === '.') skipped = 'session.skip()';
    const open = tokens[index + 1];
    if (token.text !== 'run' || tokens[index - 1]?.text !== '.' || open?.text !== '(' || open.partner < 0)
      return [];
    const args = tokens.slice(index + 2, open.partner);
    const codes = args.findIndex((arg) => arg.text === 'success_codes');
    const words = (codes === -1 ? args : args.slice(0, codes))
      .filter((arg) => arg.kind === 'string')
      .map(stringText);
    const accepted =
      codes === -1 ? [] : args.slice(codes).filter((arg) => arg.kind === 'number' && arg.text !== '0');
    return [
      {
        name: `session ${name}`,
        script: words.map((word) => (/[\s'"|&;<>()$*]/.test(word) ? `'${word}'` : word)).join(' '),
        ignoredBy:
          accepted.length > 0
            ? `success_codes=[0, ${accepted.map((arg) => arg.text).join(', ')}]`
            : undefined,
        disabledBy: skipped,
      },
    ];
  });
}

function preCommitSteps(data: unknown): Step[] {
  const repositories = at(data, 'repos');
  const excluded = listOf(at(data, 'exclude'));
  return (Array.isArray(repositories) ? repositories : []).flatMap((repository) => {
    const hooks = at(repository, 'hooks');
    return (Array.isArray(hooks) ? hooks : []).flatMap((hook: unknown) => {
      const id = at(hook, 'id');
      if (typeof id !== 'string') return [];
      const args = [
        ...listOf(at(hook, 'args')),
        ...[...listOf(at(hook, 'exclude')), ...excluded].flatMap((each) => ['--exclude', each]),
      ];
      const entry = at(hook, 'entry');
      const isManual =
        listOf(at(hook, 'stages')).every((stage) => stage === 'manual') && at(hook, 'stages') !== undefined;
      const step = { name: `hook ${id}`, disabledBy: isManual ? 'stages: [manual]' : undefined };
      const script =
        typeof entry === 'string' && at(repository, 'repo') === 'local' ? [entry, ...args].join(' ') : '';
      return [
        script
          ? { ...step, script, everything: true }
          : { ...step, script, check: { tool: `hook ${id}`, args } },
      ];
    });
  });
}

/** Keys whose value is a script. */
const SCRIPT_KEYS =
  /^(?:run|script|scripts|command|commands|cmd|cmds|bash|sh|pwsh|powershell|test_script|build_script|before_script)$/;
const NO_SCRIPT_PARENTS =
  /^(?:with|env|environment|image|services|variables|healthcheck|labels|ports|volumes|depends_on|inputs|outputs|parameters|defaults|deploy|cache)$/;

interface Around {
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly shell: ShellOptions;
  readonly ignoredBy?: string | undefined;
  readonly disabledBy?: string | undefined;
  readonly condition?: string | undefined;
}

/** The scripts in any YAML of CI, with what their steps, jobs and files say about failures and conditions. */
function yamlSteps(data: unknown, shell: ShellOptions): Step[] {
  return stepsIn(data, { names: [], env: {}, shell });
}

function stepsIn(value: unknown, around: Around): Step[] {
  if (Array.isArray(value)) return value.flatMap((item) => stepsIn(item, around));
  if (!isTable(value)) return [];
  const inner = withFlags(value, around);
  const steps: Step[] = [];
  if (typeof value.uses === 'string') steps.push(...actionStep(value, inner));
  for (const [key, member] of Object.entries(value)) {
    if (SCRIPT_KEYS.test(key)) {
      const script = scriptOf(member, inner.shell);
      if (script !== undefined) {
        const name = inner.names.join(' › ');
        steps.push({ ...inner, name: name === '' ? key : name, script, everything: false });
        if (Array.isArray(member))
          steps.push(...member.filter(isTable).flatMap((item) => stepsIn(item, inner)));
        continue;
      }
    }
    if (NO_SCRIPT_PARENTS.test(key)) continue;
    const isKnown =
      /^(?:jobs|steps|stages|stage|pipelines|default|step|phases|tasks|run|parallel|script|commands|workflows|on|runs)$/.test(
        key,
      );
    steps.push(
      ...stepsIn(member, {
        ...inner,
        names: isKnown || Array.isArray(member) ? inner.names : [...inner.names, key],
      }),
    );
  }
  return steps;
}

function scriptOf(value: unknown, shell: ShellOptions): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const lines = value.flat(3).filter((line) => typeof line === 'string');
  // Each command of a list is a script of its own, whose failure ends the job.
  return lines.length === 0 ? undefined : shell.errexit ? lines.join('\n') : `set -e\n${lines.join('\n')}`;
}

const FALSE_CONDITION =
  /^\s*(?:\$\{\{)?\s*(?:false|0|always\(\)\s*&&\s*false|false\s*&&.*|.*&&\s*false|1\s*==\s*0|eq\((\d+),\s*(?!\1)\d+\)|'?never'?|never\(\))\s*(?:\}\})?\s*$/i;
const RARE_CONDITION =
  /workflow_dispatch|'schedule'|"schedule"|commit_message|head_commit|\[skip|refs\/heads\/(?:never|none|disabled)/;

function withFlags(table: Table, around: Around): Around {
  const ignoring = [
    'continue-on-error',
    'continueOnError',
    'allow_failure',
    'soft_fail',
    'ignore_error',
    'ignore_errors',
    'allow-failure',
    'allowFailure',
  ].find(
    (key) =>
      /^(?:true|yes|\$\{\{(?!.*(?:experimental|nightly|beta|canary|next|optional|allow|\bfalse\s*\}\})).*\}\})$/i.test(
        String(table[key] ?? ''),
      ) ||
      isTable(table[key]) ||
      Array.isArray(table[key]),
  );
  const failure = table.failure === 'ignore' ? 'failure: ignore' : undefined;
  const isUpToDate =
    listOf(table.status).length > 0 && listOf(table.status).every((each) => /^(?:true|:|exit 0)$/.test(each));
  const conditionKey = ['if', 'condition', 'when', 'enabled', 'only', 'skip'].find((key) => {
    const value = String(table[key] ?? '');
    if (key === 'skip') return value === 'true';
    if (key === 'enabled') return value === 'false';
    return FALSE_CONDITION.test(value) || (key === 'when' && /^(?:never|manual)$/.test(value));
  });
  const condition = String(table.if ?? table.condition ?? '');
  const rules =
    Array.isArray(table.rules) &&
    table.rules.length > 0 &&
    table.rules.every((rule) => at(rule, 'when') === 'never' || at(rule, 'when') === 'manual');
  const name = [table.name, table.displayName, table.label, table.id].find(
    (each) => typeof each === 'string',
  );
  const shell = typeof table.shell === 'string' ? table.shell : at(table.defaults, 'run', 'shell');
  const variables = table.env ?? table.environment ?? table.variables;
  return {
    names:
      name === undefined || around.names.includes(name as string)
        ? around.names
        : [...around.names, name as string],
    env: isTable(variables)
      ? {
          ...around.env,
          ...Object.fromEntries(Object.entries(variables).map(([key, each]) => [key, String(each)])),
        }
      : around.env,
    shell: typeof shell === 'string' ? shellNamed(shell, around.shell) : around.shell,
    ignoredBy:
      around.ignoredBy ??
      (typeof shell === 'string' && /\|\|\s*(?:true|:)|;\s*(?:true|exit 0)/.test(shell)
        ? `shell: ${shell}`
        : undefined) ??
      (ignoring === undefined
        ? failure
        : `${ignoring}: ${isTable(table[ignoring]) || Array.isArray(table[ignoring]) ? '…' : table[ignoring]}`),
    disabledBy:
      around.disabledBy ??
      (conditionKey === undefined
        ? rules
          ? 'rules: when: never'
          : isUpToDate
            ? `status: ${table.status}`
            : undefined
        : `${conditionKey}: ${table[conditionKey]}`),
    condition: around.condition ?? (RARE_CONDITION.test(condition) ? `if: ${condition}` : undefined),
  };
}

function shellNamed(shell: string, known: ShellOptions): ShellOptions {
  if (shell === 'bash') return STRICT;
  if (/\{0\}/.test(shell)) return { errexit: /(?:^|\s)-\w*e/.test(shell), pipefail: /pipefail/.test(shell) };
  return shell === 'sh' ? FAILING : known;
}

const CHECKING_ACTION =
  /lint|(?:^|[-/])(?:test|tests|check|checks|verify|clippy|typecheck|codeql|analyze|pre-commit|phpstan|ruff|black|mypy|pytest|vitest|jest|cypress|playwright|audit|sonarcloud|sonarqube)(?:$|[-/])|super-linter/i;
const OTHER_ACTION =
  /checkout|setup|upload|publish|report|comment|cache|artifact|codecov|coveralls|release|install|init|summary|annotate|configure|paths-filter|reporter/i;

function actionStep(table: Table, around: Around): Step[] {
  const [action = ''] = String(table.uses).split('@');
  const isReusable = /\.ya?ml$/.test(action);
  if (
    !(isReusable ? isCheckName(action) : CHECKING_ACTION.test(action)) ||
    OTHER_ACTION.test(action.replace(/^[^/]+\//, ''))
  )
    return [];
  const args = listOf(at(table.with, 'args')).flatMap((text) => text.split(/\s+/));
  const tool = /golangci-lint/.test(action) ? 'golangci-lint' : `uses ${action}`;
  return [{ ...around, name: around.names.join(' › '), script: '', check: { tool, args } }];
}

function workflowSteps(data: unknown): Step[] {
  const events = eventsOf(data);
  const documents = pathsOfDocuments(data);
  const isManual =
    events.length > 0 &&
    events.every((event) =>
      /^(?:tags|workflow_dispatch|schedule|release|issues|issue_comment|repository_dispatch)$/.test(event),
    );
  return yamlSteps(data, FAILING).map((step) => ({
    ...step,
    disabledBy:
      step.disabledBy ??
      (isManual ? `on: ${events.join(', ')}` : undefined) ??
      (documents === undefined ? undefined : `paths: ${documents}`),
  }));
}

/** The events that start a workflow. */
function eventsOf(data: unknown): string[] {
  const on = at(data, 'on') ?? at(data, 'true');
  if (!isTable(on)) return listOf(on);
  const isOfTags = (event: unknown) =>
    (at(event, 'tags') !== undefined && at(event, 'branches') === undefined) ||
    listOf(at(event, 'branches-ignore')).some((branch) => /^\*+$/.test(branch)) ||
    listOf(at(event, 'types')).join() === 'labeled';
  return Object.entries(on).map(([name, event]) => (isOfTags(event) ? 'tags' : name));
}

/** The paths that start a workflow, if each event has some, and none of them has code. */
function pathsOfDocuments(data: unknown): string | undefined {
  const on = at(data, 'on') ?? at(data, 'true');
  if (!isTable(on)) return undefined;
  const events = Object.entries(on).filter(([name]) => /^(?:push|pull_request)/.test(name));
  const paths = events.map(([, event]) => listOf(at(event, 'paths')));
  const isOfDocuments = paths.length > 0 && paths.every((each) => each.length > 0 && each.every(isOutput));
  return isOfDocuments ? paths[0]?.join(', ') : undefined;
}

/** A job whose name begins with a dot never runs, unless another one extends it. */
function gitlabSteps(data: unknown, text: string): Step[] {
  if (!isTable(data)) return [];
  const used = new Set([
    ...Object.values(data).flatMap((job) => (isTable(job) ? listOf(job.extends) : [])),
    ...Array.from(text.matchAll(/!reference \[\s*["']?([^\s,"'\]]+)/g), ([, job]) => job),
  ]);
  const hasAnchors = /&\w/.test(text);
  return yamlSteps(data, STRICT).map((step) => {
    const [job = ''] = step.name.split(' › ');
    const isHidden = job.startsWith('.') && !used.has(job) && !hasAnchors;
    return { ...step, disabledBy: step.disabledBy ?? (isHidden ? `the name \`${job}\`` : undefined) };
  });
}
