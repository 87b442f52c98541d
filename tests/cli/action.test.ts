import { chmodSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { sarifText } from '../../src/report/ci/sarif.ts';
import { COMMENT_MARKER } from '../../src/report/ci/summary.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const ACTION = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'));
const STEPS: readonly Step[] = ACTION.runs.steps;

/** Writes programs that note how they are called. */
function withPrograms(makeProject: MakeProject, programs: Readonly<Record<string, string>>): Project {
  const project = makeProject();
  for (const [name, script] of Object.entries(programs)) {
    project.write({ [`bin/${name}`]: `#!/bin/bash\nprintf '%s\\n' "$*" >> calls\n${script}\n` });
    chmodSync(project.path(`bin/${name}`), 0o755);
  }
  project.write({ calls: '', output: '', 'job.md': '' });
  return project;
}

async function runStep(project: Project, name: string, env: Readonly<Record<string, string>>) {
  const step = STEPS.find((each) => each.name === name);
  expect(Object.keys(step?.env ?? {}).toSorted()).toEqual(
    Object.keys(env)
      .filter((key) => !key.startsWith('GITHUB_'))
      .toSorted(),
  );
  return execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
    cwd: project.root,
    env: { ...project.environment, PATH: `${project.path('bin')}:${project.environment.PATH}`, ...env },
    extendEnv: false,
    reject: false,
  });
}

describe.concurrent('the action', () => {
  test('puts no input and no text of an event into a script', () => {
    for (const { name, run = '' } of STEPS) expect(run, name).not.toContain('${{');
  });

  test.for([
    ['a base', { BASE: 'abc' }, '--base abc'],
    ['no base for a new branch', { BASE: '0000000000000000000000000000000000000000' }, ''],
    ['files', { SARIF: 'a b.sarif', JUNIT: 'r.xml' }, '--sarif a b.sarif --junit r.xml'],
  ] as const)(
    'runs verify with %s, and keeps its exit code for the end',
    async ([, given, args], { makeProject }) => {
      const project = withPrograms(makeProject, { npx: 'echo report >> "$GITHUB_STEP_SUMMARY"; exit 1' });
      const { exitCode } = await runStep(project, 'Run the gates', {
        BASE: '',
        SARIF: '',
        JUNIT: '',
        VERSION: 'latest',
        SUMMARY: project.path('summary.md'),
        GITHUB_OUTPUT: project.path('output'),
        GITHUB_STEP_SUMMARY: project.path('job.md'),
        ...given,
      });
      expect(exitCode).toBe(0);
      expect(project.read('calls').trim()).toBe(
        `--yes ralph-loop-cli@latest verify --ci --no-fail-fast ${args}`.trim(),
      );
      expect([project.read('output'), project.read('job.md')]).toEqual(['code=1\n', 'report\n']);
      expect((await runStep(project, 'Judge', { CODE: '1' })).exitCode).toBe(1);
    },
  );

  test.for([
    ['writes a comment where there is none', '', '--method POST repos/o/r/issues/7/comments'],
    ['changes the comment that is there', '42\n43', '--method PATCH repos/o/r/issues/comments/42'],
  ] as const)('%s', async ([, ids, call], { makeProject }) => {
    const project = withPrograms(makeProject, { gh: `[[ "$*" != *--paginate* ]] || printf '%s' '${ids}'` });
    project.write({ 'summary.md': `${COMMENT_MARKER}\nreport\n` });
    const SUMMARY = project.path('summary.md');
    const env = { GH_TOKEN: 't', REPOSITORY: 'o/r', NUMBER: '7', SUMMARY };
    const { exitCode, stdout } = await runStep(project, 'Comment on the pull request', env);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    const [search, write, ...more] = project.read('calls').trim().split('\n');
    expect(search).toContain(COMMENT_MARKER);
    expect([write, more]).toEqual([`api --silent ${call} --field body=@${SUMMARY}`, []]);
  });

  test.for(['exit 1', '[[ "$*" == *--paginate* ]]'])(
    'warns where gh cannot comment: %s',
    async (script, { makeProject }) => {
      const project = withPrograms(makeProject, { gh: script });
      project.write({ 'summary.md': '' });
      const env = { GH_TOKEN: 't', REPOSITORY: 'o/r', NUMBER: '7', SUMMARY: project.path('summary.md') };
      const { exitCode, stdout } = await runStep(project, 'Comment on the pull request', env);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('::warning title=ralph-loop::The comment cannot be written');
      expect(project.read('summary.md')).toMatch(
        /^<!-- ralph-loop verify -->\n### ralph-loop: the gates did not run/,
      );
    },
  );
});

test('the page for GitLab turns SARIF into a report of code quality', async ({ makeProject }) => {
  const page = readFileSync(new URL('../../docs/pull-requests.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /## GitLab\n\n```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const [script] = parse(yaml).gates.after_script;
  const place = { path: 'a b.ts', line: 3 };
  const problem = { rule: 'test-skipped', level: 'error', place, title: 't', message: 'm' } as const;
  const report = { verdict: 'failed', base: 'b', durationMs: 0, gates: [], findings: [] } as const;
  const project = makeProject({
    'ralph.sarif': sarifText({ ...report, problems: [problem] }, 'worktree.yaml'),
  });
  await execa('bash', ['-c', script], { cwd: project.root });
  expect(JSON.parse(project.read('gl-code-quality-report.json'))).toEqual([
    {
      check_name: 'test-skipped',
      description: 'm',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'a b.ts', lines: { begin: 3 } },
    },
  ]);
});
