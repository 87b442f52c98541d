import type { IterationRecord } from '../../src/state/execution-log.ts';
import type { Files, Project } from './project.ts';

/** Notes in the home, outside the working tree, at which iterations it was started, and runs the script of this start. */
const AGENT = `prompt=$(cat)
iteration=$(printf '%s' "$prompt" | sed -n 's/.*Ralph Iteration[^0-9]*\\([0-9]*\\)\\/.*/\\1/p' | head -n 1)
echo "$iteration" >> "$HOME/starts"
script="agent/$(wc -l < "$HOME/starts" | tr -d ' ').sh"
[ -e "$script" ] || script=agent/last.sh
exec sh "$script"
`;

/** What drives it; the specification is `spec.md`. */
export const RUN = ['run', '--task', 'TASK-001', '--prompt-file', 'spec.md'] as const;
/** What runs it. */
export const AGENT_COMMAND = ['--', 'sh', 'agent/agent.sh'] as const;

/** An agent that does what a script says at each start; the last one is that of all later starts, too. */
export function scriptedAgent(...scripts: readonly string[]): Files {
  const files = scripts.map((script, index) => [`agent/${index + 1}.sh`, `${script}\n`]);
  return { ...Object.fromEntries(files), 'agent/last.sh': `${scripts.at(-1)}\n`, 'agent/agent.sh': AGENT };
}

/** A script's line that makes a promise. */
export const promise = (text = 'IMPLEMENTATION_COMPLETE') => `echo '<promise>${text}</promise>'`;

/** A script that changes the working tree and makes the promise. */
export const WORK = `date >> work.txt; echo Done.; ${promise()}`;

/** The iterations at which the agent was started. */
export function startsOf(project: Project): number[] {
  const file = '../home/starts';
  return project.has(file) ? project.read(file).trim().split('\n').map(Number) : [];
}

/** The loop's lines of the log. */
export function iterationsOf(project: Project): IterationRecord[] {
  return project
    .read('.trellis/.ralph/log.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as IterationRecord);
}
