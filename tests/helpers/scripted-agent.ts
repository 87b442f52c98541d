import type { IterationRecord } from '../../src/state/execution-log.ts';
import type { Files, Project } from './project.ts';

/** Records the iteration in the home, outside of the working tree, and runs the script of this start. */
const AGENT = `prompt=$(cat)
iteration=$(printf '%s' "$prompt" | sed -n 's/.*Ralph Iteration[^0-9]*\\([0-9]*\\)\\/.*/\\1/p' | head -n 1)
echo "$iteration" >> "$HOME/starts"
script="agent/$(wc -l < "$HOME/starts" | tr -d ' ').sh"
[ -e "$script" ] || script=agent/last.sh
exec sh "$script"
`;

/** The arguments of a run with the specification in `spec.md`. */
export const RUN = ['run', '--task', 'TASK-001', '--prompt-file', 'spec.md'] as const;
/** The arguments that name the scripted agent. */
export const AGENT_COMMAND = ['--', 'sh', 'agent/agent.sh'] as const;

/** Returns the files of an agent that runs one script at each start, and the last one at all later starts. */
export function scriptedAgent(...scripts: readonly string[]): Files {
  const files = scripts.map((script, index) => [`agent/${index + 1}.sh`, `${script}\n`]);
  return { ...Object.fromEntries(files), 'agent/last.sh': `${scripts.at(-1)}\n`, 'agent/agent.sh': AGENT };
}

/** Returns a line of a script that makes a promise. */
export const promise = (text = 'IMPLEMENTATION_COMPLETE') => `echo '<promise>${text}</promise>'`;

/** A script that changes the working tree and makes the promise. */
export const WORK = `date >> work.txt; echo Done.; ${promise()}`;

/** Returns the iterations in which the agent was started. */
export function startsOf(project: Project): number[] {
  const file = '../home/starts';
  return project.has(file) ? project.read(file).trim().split('\n').map(Number) : [];
}

/** Returns the records of the log. */
export function iterationsOf(project: Project): IterationRecord[] {
  return project
    .read('.trellis/.ralph/log.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as IterationRecord)
    .filter((record) => 'ralph_iteration' in record);
}
