import { count, oneLine, roundDuration } from '../base/text.ts';
import { soFar } from '../messages/outcome.ts';
import type { Paint, Style } from '../messages/paint.ts';
import { type RunStatus, runText } from '../messages/status.ts';
import { sessionText } from '../messages/status-line.ts';
import {
  type Board,
  type Card,
  elapsedTime,
  type Lane,
  type RunningAgent,
  type WorktreeNow,
} from './board.ts';

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
export function boardText({ lanes, agents, runs, worktrees }: Board, now: string, paint: Paint): string {
  const agentLine = (agent: RunningAgent, index: number) => `  ${agentLines(agent, index, now).join(', ')}`;
  const panels = [
    lanes.flatMap((lane) => laneLines(lane, now, paint)),
    agents.length === 0 ? [] : [agentsHeading(agents.length, paint), ...agents.map(agentLine)],
    runs.length === 0
      ? []
      : [runsHeading(runs.length, paint), ...runs.map((run) => `  ${runLine(run, now)}`)],
    worktreeLines(worktrees, now, paint),
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

/** Longer names are cut, so that the columns stay. */
const MAX_NAME_COLUMNS = 24;

/** The working trees with their heading, one on a line; none where there is one only. */
export function worktreeLines(worktrees: readonly WorktreeNow[], now: string, paint: Paint): string[] {
  if (worktrees.length === 0) return [];
  const names = worktrees.map(({ name }) => oneLine(name, MAX_NAME_COLUMNS));
  const width = Math.max(...names.map((name) => name.length));
  return [
    paint('bold', `WORKTREES ${worktrees.length}`),
    ...worktrees.map((worktree, index) => {
      const { name, branch, isHere } = worktree;
      const mark = isHere ? paint('bold', '>') : ' ';
      const onBranch =
        branch === null || branch === name ? '' : `  ${paint('dim', oneLine(branch, MAX_NAME_COLUMNS))}`;
      return `${mark} ${(names[index] ?? '').padEnd(width)}  ${sessionText(worktree, new Date(now), paint)}${onBranch}`;
    }),
  ];
}

const BAR_COLUMNS = 20;
const FULL = '█';
const EMPTY = '░';

/** The gates of a run, one that runs on a line, with what is left of its usual duration. */
export function gateLines(run: RunStatus, now: string, paint: Paint): string[] {
  const lines = run.gates.flatMap(({ name, outcome, started_at: since, usual_ms: usualMs }) => {
    if (outcome !== null || since === null) return [];
    const elapsedMs = Math.max(0, Date.parse(now) - Date.parse(since));
    const shown = oneLine(name, 80);
    if (usualMs === null || usualMs < 1000) return [`${shown}  ${soFar(elapsedMs, usualMs)}`];
    const part = Math.min(1, elapsedMs / usualMs);
    const full = Math.floor(part * BAR_COLUMNS);
    const bar = `${paint('yellow', FULL.repeat(full))}${paint('dim', EMPTY.repeat(BAR_COLUMNS - full))}`;
    const rest =
      elapsedMs < usualMs
        ? `${roundDuration(elapsedMs)}, about ${roundDuration(usualMs - elapsedMs)} left`
        : soFar(elapsedMs, usualMs);
    return [`${shown}  ${bar}  ${rest}`];
  });
  const done = run.gates.filter(({ outcome }) => outcome !== null).length;
  const waiting = run.waiting > 1 ? [`${run.waiting} processes wait for it`] : [];
  const others = [...(done > 0 || lines.length === 0 ? [`${count(done, 'gate')} done`] : []), ...waiting];
  return others.length === 0 ? lines : [...lines, paint('dim', others.join('; '))];
}

const HEADING_STYLES: Readonly<Record<string, Style>> = { done: 'green', failed: 'red', cancelled: 'dim' };

/** `TODO 2`. */
export function laneHeading({ name, cards }: Lane, paint: Paint): string {
  const heading = paint('bold', `${name.toUpperCase()} ${cards.length}`);
  const style = cards.length > 0 ? HEADING_STYLES[name] : undefined;
  return style === undefined ? heading : paint(style, heading);
}
