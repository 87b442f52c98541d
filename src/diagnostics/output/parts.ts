/** An output of several tasks, or of several commands of a script: what one of them prints says nothing about another. */

import type { Line } from '../failures/failure.ts';
import { isNoise, isOnTheWay } from '../failures/noise.ts';
import { announcesCommand } from '../failures/steps.ts';
import { taskOf } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { startsCommand } from '../lines/structure.ts';
import { Condenser, type Findings } from './condenser.ts';
import { MOST_LINES } from './shown-prefixes.ts';

/** A part of an output, as if it had been printed alone. */
export interface Part {
  /** What is shown before each of its lines. */
  readonly prefix: string;
  readonly findings: Findings;
}

/** More do not fit into one excerpt. */
const MAX_PARTS = 16;

/** The parts that failed, of an output that is known whole; none unless two failed, and all others are sure to have passed. */
export function failedParts({ outline: { all } }: Findings): Part[] {
  const parts = all ? partsOf(all) : [];
  if (parts.length > MAX_PARTS || parts.filter(({ isOfRunner }) => !isOfRunner).length < 2) return [];
  const failed: Part[] = [];
  for (const { prefix, isOfRunner, lines } of parts) {
    const findings = read(lines);
    if (hasFailed(findings)) failed.push({ prefix, findings });
    else if (!isOfRunner && !lines.every(mayHavePassed)) return [];
  }
  return failed.length > 1 ? failed : [];
}

interface PrintedPart {
  readonly prefix: string;
  /** Whether it is what the runner of the tasks, or of the commands, has printed. */
  readonly isOfRunner: boolean;
  readonly lines: string[];
}

function partsOf(whole: readonly Line[]): PrintedPart[] {
  const full = whole.filter(({ text }) => text !== '');
  const ofTasks = full.filter(({ prefix }) => taskOf(prefix) !== '');
  if (ofTasks.length >= MOST_LINES * full.length) return tasksIn(whole);
  // Beside tasks that print in turn, a command is that of one of them.
  return ofTasks.length <= (1 - MOST_LINES) * full.length ? commandsIn(whole) : [];
}

function tasksIn(whole: readonly Line[]): PrintedPart[] {
  const tasks = new Map<string, PrintedPart>();
  for (const { text, prefix: own } of whole) {
    const prefix = taskOf(own);
    const part = tasks.get(prefix) ?? { prefix, isOfRunner: prefix === '', lines: [] };
    tasks.set(prefix, part);
    const shown = [own, prefix].find((start) => start !== undefined && text.startsWith(start)) ?? '';
    part.lines.push(text.slice(shown.length));
  }
  return [...tasks.values()];
}

function commandsIn(whole: readonly Line[]): PrintedPart[] {
  const commands: PrintedPart[] = [];
  for (const { text } of whole) {
    const isStart = startsCommand(text);
    if (isStart || commands.length === 0) commands.push({ prefix: '', isOfRunner: !isStart, lines: [] });
    commands.at(-1)?.lines.push(text);
  }
  return commands;
}

function read(lines: readonly string[]): Findings {
  const condenser = new Condenser();
  condenser.write('stdout', Buffer.from(lines.join('\n')));
  return condenser.findings();
}

function hasFailed({ failures }: Findings): boolean {
  return failures.some(({ severity }) => severity >= SEVERITY.tagged);
}

/** Whether a line is what a task prints that passes. */
function mayHavePassed(text: string): boolean {
  return text.trim() === '' || announcesCommand(text) || isNoise(text) || isOnTheWay(text);
}
