import { type Board, type Card, elapsedTime, type Lane, type RunningAgent } from './board.ts';

/**
 * The board for output that is not a terminal.
 *
 * @param now UTC, ISO 8601
 */
export function boardText({ lanes, agents, hooks }: Board, now: string): string {
  const agentLine = (agent: RunningAgent, index: number) => `  ${agentLines(agent, index, now).join(', ')}`;
  const panels = [
    agents.length === 0 ? [] : [AGENTS_HEADING, ...agents.map(agentLine)],
    hooks.length === 0
      ? []
      : [HOOKS_HEADING, ...hooks.map(({ name, progress, state }) => `  ${name} (${progress}) ${state}`)],
  ];
  return [lanes.flatMap((lane) => laneLines(lane, now)), ...panels]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function laneLines({ name, cards }: Lane, now: string): string[] {
  const lines = cards.flatMap((card) =>
    cardLines(card, now, true).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`),
  );
  return [headingLine(name, cards.length), ...lines];
}

/**
 * The lines of a card in a lane.
 *
 * @param now UTC, ISO 8601
 * @param isWide whether id and title fit on one line
 */
export function cardLines(
  { name, title, progress, state, runningSince, activity }: Card,
  now: string,
  isWide: boolean,
): string[] {
  const nameAndTitle = [name, title ?? ''].filter((part) => part !== '');
  const running = runningSince === null ? '' : elapsedTime(runningSince, now);
  return [
    ...(isWide ? [nameAndTitle.join('  ')] : nameAndTitle),
    [progress ?? '', running].filter((part) => part !== '').join(' '),
    state ?? '',
    activity === null ? '' : `${activity.kind} ${activity.name} ${elapsedTime(activity.since, now)}`,
  ].filter((line) => line !== '');
}

/** A running agent in two lines. */
export function agentLines(agent: RunningAgent, index: number, now: string): [string, string] {
  const { stage, task, iteration, max, since, costUsd } = agent;
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(2)}`;
  return [
    `Slot ${index + 1}: ${stage}, ${task}`,
    `Ralph: iteration ${iteration}/${max}, running ${elapsedTime(since, now)}${cost}`,
  ];
}

export const AGENTS_HEADING = 'RUNNING AGENTS';
export const HOOKS_HEADING = 'STOP LOOPS AND CHAINS';
export const EMPTY_BOARD = 'There are no tasks and no loops here yet.';

/** `TODO 2`. */
export function headingLine(name: string, count: number): string {
  return `${name.toUpperCase()} ${count}`;
}
