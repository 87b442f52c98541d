import { measureChains } from './measure-chains.ts';
import { measureCheckpoint } from './measure-checkpoint.ts';
import { measureComparison } from './measure-comparison.ts';
import { measureContention } from './measure-contention.ts';
import { measureEndings } from './measure-endings.ts';
import { measureFeedback, measureLog, READ_LOG } from './measure-feedback.ts';
import { measureHistory } from './measure-history.ts';
import { measureIntegrity } from './measure-integrity.ts';
import { measureLoops } from './measure-loops.ts';
import { measureOutput } from './measure-output.ts';
import { measureRuns } from './measure-runs.ts';
import { measureStartUp } from './measure-start-up.ts';

// npm run bench [start-up|output|feedback|contention|endings|checkpoint|chains|loops|runs|integrity|history|compare]: figures only; nothing here passes or fails.
const parts: Record<string, () => Promise<void> | void> = {
  'start-up': measureStartUp,
  output: measureOutput,
  feedback: measureFeedback,
  contention: measureContention,
  endings: measureEndings,
  checkpoint: measureCheckpoint,
  chains: measureChains,
  loops: measureLoops,
  runs: measureRuns,
  integrity: measureIntegrity,
  history: measureHistory,
  compare: measureComparison,
};
const wanted = process.argv.slice(2);
if (wanted[0] === READ_LOG) measureLog(wanted[1] ?? '');
else
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${name}`);
    await measure();
  }
