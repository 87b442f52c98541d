import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import type { Project } from './project.ts';

export const ACTION_TEXT = readFileSync(new URL('../../action.yml', import.meta.url), 'utf8');

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const STEPS: readonly Step[] = parse(ACTION_TEXT).runs.steps;
const INPUTS: Readonly<Record<string, { readonly default: string }>> = parse(ACTION_TEXT).inputs;

/** What GitHub knows of a job. */
export interface Job {
  readonly inputs?: Readonly<Record<string, string>>;
  /** The event's document, as far as the action reads it. */
  readonly event: {
    readonly before?: string;
    readonly pull_request?: {
      readonly number: number;
      readonly base: { readonly ref: string };
      readonly head: { readonly sha: string };
    };
    readonly merge_group?: { readonly base_sha: string };
  };
  readonly env?: Readonly<Record<string, string>>;
}

interface Contexts {
  readonly inputs: Readonly<Record<string, string>>;
  readonly event: Job['event'];
  readonly temp: string;
  /** The outputs of each step by its id. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The expressions of the action, and what GitHub makes of them. */
const EXPRESSIONS: Readonly<Record<string, (contexts: Contexts) => string | boolean | number | undefined>> = {
  "steps.node.outputs.found == 'false'": ({ outputs }) => outputs.node?.found === 'false',
  'inputs.working-directory': ({ inputs }) => inputs['working-directory'],
  'inputs.base || github.event.merge_group.base_sha': ({ inputs, event }) =>
    inputs.base || event.merge_group?.base_sha,
  "github.event_name == 'push' && github.event.before || ''": ({ event }) =>
    nameOf(event) === 'push' ? event.before : '',
  'inputs.sarif': ({ inputs }) => inputs.sarif,
  'inputs.junit': ({ inputs }) => inputs.junit,
  'inputs.version': ({ inputs }) => inputs.version,
  'runner.temp': ({ temp }) => temp,
  "!cancelled() && inputs.comment == 'true' && github.event.pull_request.number": ({ inputs, event }) =>
    inputs.comment === 'true' && event.pull_request?.number,
  'github.token': () => 'token',
  'github.repository': () => 'owner/name',
  'github.event.pull_request.number': ({ event }) => event.pull_request?.number,
  'github.event.pull_request.head.sha': ({ event }) => event.pull_request?.head.sha,
  'steps.verify.outputs.code': ({ outputs }) => outputs.verify?.code,
};

/** The text with its expressions resolved, as GitHub does it: before a shell sees any of it. */
function resolved(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
    String(evaluated(expression, contexts) ?? ''),
  );
}

function evaluated(expression: string, contexts: Contexts) {
  const evaluate = EXPRESSIONS[expression];
  if (!evaluate) throw new Error(`the expression is not in the table: ${expression}`);
  return evaluate(contexts);
}

export type Outcome = 'success' | 'failure' | 'skipped' | 'used';

export interface ActionRun {
  /** The result of the job. */
  readonly conclusion: 'success' | 'failure';
  /** The outcome of each step by its name; `used` for another action, which does not run. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly stdout: string;
  readonly stderr: string;
  /** The page of the job. */
  readonly summary: string;
}

function nameOf({ pull_request, merge_group }: Job['event']): string {
  if (pull_request) return 'pull_request';
  return merge_group ? 'merge_group' : 'push';
}

/**
 * Runs the steps of the composite action as GitHub's runner does: each in a shell of its own from a file, with its own
 * variables and its own files for outputs and the job's page, in the workspace or below it. After a step that fails, only
 * those run whose condition asks for the status.
 */
export async function runAction(project: Project, { inputs = {}, event, env = {} }: Job): Promise<ActionRun> {
  const temp = project.path('../runner temp');
  mkdirSync(temp, { recursive: true });
  const given = Object.fromEntries(Object.entries(INPUTS).map(([name, { default: value }]) => [name, value]));
  const outputs: Record<string, Record<string, string>> = {};
  const contexts: Contexts = { inputs: { ...given, ...inputs }, event, temp, outputs };
  const outcomes: Record<string, Outcome> = {};
  let [hasFailed, stdout, stderr, summary] = [false, '', '', ''];
  for (const [index, step] of STEPS.entries()) {
    const condition = step.if?.replace(/^\$\{\{ (.*) \}\}$/, '$1') ?? '';
    const asksForStatus = /\b(?:always|cancelled|failure|success)\(\)/.test(condition);
    const isWanted = condition === '' || Boolean(evaluated(condition, contexts));
    if ((hasFailed && !asksForStatus) || !isWanted) {
      outcomes[step.name] = 'skipped';
      continue;
    }
    if (step.run === undefined) {
      outcomes[step.name] = 'used';
      continue;
    }
    const files = ['script.sh', 'output', 'summary.md', 'event.json'].map((name) =>
      join(temp, `${index}-${name}`),
    );
    const [script = '', output = '', page = '', document = ''] = files;
    project.write({
      [`../runner temp/${index}-script.sh`]: step.run,
      [`../runner temp/${index}-output`]: '',
      [`../runner temp/${index}-summary.md`]: '',
      [`../runner temp/${index}-event.json`]: JSON.stringify(event),
    });
    const variables = Object.entries(step.env ?? {}).map(([name, text]) => [name, resolved(text, contexts)]);
    const ended = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: project.path(resolved(step['working-directory'] ?? '.', contexts)),
      env: {
        ...project.environment,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_BASE_REF: event.pull_request?.base.ref ?? '',
        GITHUB_EVENT_NAME: nameOf(event),
        GITHUB_EVENT_PATH: document,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: page,
        GITHUB_WORKSPACE: project.root,
        RUNNER_TEMP: temp,
        ...env,
        ...Object.fromEntries(variables),
      },
      extendEnv: false,
      stdin: 'ignore',
      stripFinalNewline: false,
      reject: false,
    });
    outcomes[step.name] = ended.failed ? 'failure' : 'success';
    hasFailed ||= ended.failed;
    stdout += ended.stdout ?? '';
    stderr += ended.stderr ?? '';
    summary += readFileSync(page, 'utf8');
    if (step.id !== undefined) outputs[step.id] = outputsIn(readFileSync(output, 'utf8'));
  }
  return { conclusion: hasFailed ? 'failure' : 'success', outcomes, stdout, stderr, summary };
}

/** @param text lines `name=value`; the runner refuses others, but for the form of several lines, which is not used here */
function outputsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      if (line === '') return [];
      const [, name = '', value = ''] = /^([^=<]+)=(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`no output: ${line}`);
      return [[name, value]];
    }),
  );
}
