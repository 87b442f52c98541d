import type { Paint, Style } from '../messages/paint.ts';
import { type RunStatus, runText } from '../messages/status.ts';
import { type Board, type Card, elapsedTime, type Lane, type RunningAgent } from './board.ts';

/** A line of a card. */
export interface CardLine {
  readonly text: string;
  readonly style: Style | null;
}

/**
 * The board for output that is not a terminal.
 *
 * @param now UTC, ISO 8601
 */
export function boardText({ lanes, agents, runs }: Board, now: string, paint: Paint): string {
  const agentLine = (agent: RunningAgent, index: number) => `  ${agentLines(agent, index, now).join(', ')}`;
  const panels = [
    lanes.flatMap((lane) => laneLines(lane, now, paint)),
    agents.length === 0 ? [] : [agentsHeading(agents.length, paint), ...agents.map(agentLine)],
    runs.length === 0
      ? []
      : [runsHeading(runs.length, paint), ...runs.map((run) => `  ${runLine(run, now)}`)],
  ];
  const text = panels
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return text || EMPTY_BOARD;
}

function laneLines(lane: Lane, now: string, paint: Paint): string[] {
  const lines = lane.cards.flatMap((card) =>
    cardLines(card, now, true).map(
      (line, index) => `${index === 0 ? '  ' : '    '}${paintedLine(line, paint)}`,
    ),
  );
  return [laneHeading(lane, paint), ...lines];
}

/** In front of the iteration of a loop. */
const LOOP = '↻';

/**
 * The lines of a card in a lane.
 *
 * @param now UTC, ISO 8601
 * @param isWide whether name and title fit on one line
 */
export function cardLines(card: Card, now: string, isWide: boolean): CardLine[] {
  const { name, title, progress, state, tone, failing, runningSince, activity } = card;
  const nameAndTitle = isWide ? [[name, title ?? ''].join('  ').trimEnd()] : [name, title ?? ''];
  const running = runningSince === null ? '' : elapsedTime(runningSince, now);
  const loop = progress === null ? '' : `${LOOP} ${progress}`;
  const lines: CardLine[] = [
    ...nameAndTitle.map((text) => ({ text, style: null })),
    {
      text: [loop, running].filter((part) => part !== '').join(' '),
      style: running === '' ? null : 'yellow',
    },
    { text: state ?? '', style: tone },
    { text: failing ?? '', style: 'red' },
    {
      text: activity === null ? '' : `${activity.kind} ${activity.name} ${elapsedTime(activity.since, now)}`,
      style: 'yellow',
    },
  ];
  return lines.filter(({ text }) => text !== '');
}

export function paintedLine({ text, style }: CardLine, paint: Paint): string {
  return style === null ? text : paint(style, text);
}

/** A running agent in two lines. */
export function agentLines(agent: RunningAgent, index: number, now: string): [string, string] {
  const { stage, task, iteration, max, since, costUsd } = agent;
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(2)}`;
  return [
    `Slot ${index + 1}: ${stage}, ${task}`,
    `${LOOP} Ralph: iteration ${iteration}/${max}, running ${elapsedTime(since, now)}${cost}`,
  ];
}

export const EMPTY_BOARD = 'There are no tasks and no loops here yet.';

export function agentsHeading(agents: number, paint: Paint): string {
  return paint('bold', `RUNNING AGENTS ${agents}`);
}

export function runsHeading(runs: number, paint: Paint): string {
  return paint('bold', `VERIFICATION RUNS ${runs}`);
}

/** The gates of a verification run that goes on. */
export function runLine(run: RunStatus, now: string): string {
  return runText(run, new Date(now));
}

const HEADING_STYLES: Readonly<Record<string, Style>> = { done: 'green', failed: 'red', cancelled: 'dim' };

/** `TODO 2`. */
export function laneHeading({ name, cards }: Lane, paint: Paint): string {
  const heading = paint('bold', `${name.toUpperCase()} ${cards.length}`);
  const style = cards.length > 0 ? HEADING_STYLES[name] : undefined;
  return style === undefined ? heading : paint(style, heading);
}
