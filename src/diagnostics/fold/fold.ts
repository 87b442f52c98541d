/**
 * Leaves out of the lines of an excerpt what others say. Each step sees what those before it have left, and leaves out what
 * is about one subject: a line that is missing in an excerpt was left out by the first step without it.
 */

import {
  withoutContext,
  withoutNotesOfLibraries,
  withoutQuotedAgain,
  withoutShownSource,
  withoutUnderlines,
} from '../failures/code-frames.ts';
import { withoutConsequences } from '../failures/consequences.ts';
import type { Line, StoredFailure } from '../failures/failure.ts';
import { withoutTriedPlaces } from '../failures/lists.ts';
import { withCommonReasons, withoutAttempts, withoutRepeats, withoutRetries } from '../failures/repeats.ts';
import { withoutCallersAgain, withoutOffsets, withoutThrowers } from '../failures/shown-frames.ts';
import {
  withoutAlike,
  withoutBuilds,
  withoutEchoes,
  withoutSameBelow,
  withoutScriptNames,
  withoutSilentSteps,
  withoutTrace,
} from '../failures/steps.ts';
import { prefixOf, taskOf, withoutPrefix } from '../lines/prefix.ts';
import { withoutGeneralAdvice, withoutRepeatedAdvice } from './advice.ts';
import { withoutStepAgain } from './container-builds.ts';
import { withoutDeepMembers, withoutSaidMembers } from './members.ts';
import {
  withoutBareErrors,
  withoutDecorators,
  withoutEvidentValues,
  withoutImportNotes,
  withoutListedSections,
  withoutLoneSummaries,
  withoutParameters,
} from './pytest.ts';
import { withoutLogsAgain, withoutRecordsAgain, withoutServerRecords } from './records.ts';
import {
  withoutAnnotations,
  withoutInnerMessages,
  withoutListedReasons,
  withoutPassedOn,
  withoutPlacesOfErrors,
  withoutRuleCounts,
  withoutSaidBefore,
  withoutSaidReasons,
  withoutSameNotes,
  withoutSecondPrints,
} from './said-twice.ts';
import {
  withoutEmptyHeadings,
  withoutLoneBlanks,
  withoutLoneClosers,
  withoutRulers,
  withoutTagsOfPages,
} from './separators.ts';
import {
  withoutBareNames,
  withoutEmptySuites,
  withoutFileStates,
  withoutListedPlaces,
  withoutListedTests,
  withoutTitlesAbove,
} from './shown-names.ts';

/** @param failures those that the lines are about */
type Step = (lines: readonly Line[], failures: readonly StoredFailure[]) => Line[];

/** Nothing else says what was done on the way, or was tried: the mark of a gap stays in its place. */
const ON_THE_WAY: readonly Step[] = [
  withoutTrace,
  withoutBuilds,
  withoutSilentSteps,
  withoutSameBelow,
  withoutAlike,
  withoutTriedPlaces,
];

/** What others say, or nobody needs: a reader misses nothing. */
const SAID_BEFORE: readonly Step[] = [
  // Tests that are named, or printed, again.
  ofEachTask(withoutListedReasons),
  ofEachTask(withoutRuleCounts),
  ofEachTask(withoutBareNames),
  ofEachTask(withoutListedTests),
  ofEachTask(withoutListedPlaces),
  withoutListedSections,
  withoutImportNotes,
  ofEachTask(withoutFileStates),
  ofEachTask(withoutTitlesAbove),
  ofEachTask(withoutSecondPrints),
  withoutStepAgain,
  // What is wrong, in other words.
  withoutAnnotations,
  withoutPlacesOfErrors,
  withoutSameNotes,
  withoutServerRecords,
  withoutPassedOn,
  withoutInnerMessages,
  // The members of an error.
  withoutDeepMembers,
  withoutSaidMembers,
  // Source: without the lines around it, its column is named near above it; and it is known as quoted by the signs below
  // it, so these go last.
  ofEachTask(withoutDecorators),
  withoutEvidentValues,
  ofEachTask(withoutBareErrors),
  withoutContext,
  withoutQuotedAgain,
  withoutShownSource,
  withoutUnderlines,
  withoutNotesOfLibraries,
  withoutThrowers,
  withoutOffsets,
  withoutCallersAgain,
  withoutConsequences,
  withoutGeneralAdvice,
  // Before the rulers: one of them is where advice goes on with source.
  withoutRepeatedAdvice,
  // What was printed again in the same order; rulers are between two prints, and part of none.
  withoutRulers,
  withoutTagsOfPages,
  withoutRepeats,
  withCommonReasons,
  withoutAttempts,
  withoutRetries,
  // What was printed again by itself.
  withoutSaidBefore,
  withoutSaidReasons,
  withoutParameters,
  // Last, what has nothing left that it is about: headings, then the blank lines around them.
  withoutRecordsAgain,
  withoutLogsAgain,
  withoutEmptySuites,
  withoutEmptyHeadings,
  withoutLoneSummaries,
  withoutLoneClosers,
  withoutLoneBlanks,
];

/** What is shown of lines. */
export interface Folded {
  readonly shown: readonly Line[];
  /** The positions of lines of which a reader misses nothing. */
  readonly redundant: readonly number[];
}

/** A step that reads the lines of each task by themselves, as the tool has printed them. */
function ofEachTask(step: Step): Step {
  return (lines, failures) => {
    const tasks = new Map<string, Line[]>();
    for (const { at, text } of lines) {
      // Alone on a line, what looks like a prefix is a name.
      const said = withoutPrefix(text);
      const [task, line] = said === '' ? ['', { at, text }] : [taskOf(prefixOf(text)), { at, text: said }];
      const own = tasks.get(task);
      if (own) own.push(line);
      else tasks.set(task, [line]);
    }
    const kept = [...tasks.values()].flatMap((own) => step(own, failures).map(({ at }) => at));
    const shown = new Set(kept);
    return lines.filter(({ at }) => shown.has(at));
  };
}

export function folded(lines: readonly Line[], failures: readonly StoredFailure[]): Folded {
  const after = (steps: readonly Step[], before: readonly Line[]) =>
    steps.reduce((left, step) => step(left, failures), before);
  // Before any step is left out: it may be that of another package.
  const commands = withoutEchoes(withoutScriptNames(lines, failures), failures);
  const informative = after(ON_THE_WAY, commands);
  const shown = after(SAID_BEFORE, informative);
  const redundant = [...positionsWithout(lines, commands), ...positionsWithout(informative, shown)];
  return { shown, redundant: redundant.map(Math.floor) };
}

/** The positions of the lines that are not among others. */
export function positionsWithout(lines: readonly Line[], others: readonly Line[]): number[] {
  const known = new Set(others.map(({ at }) => at));
  return lines.map(({ at }) => at).filter((at) => !known.has(at));
}
