import { readFileSync, writeFileSync } from 'node:fs';
import { feedbackCases, lostFacts } from '../helpers/feedback-cases.ts';
import { CUTS, comparisonTable, OURS, recordedSets, withComparison } from './compare-excerpts.ts';
import { tokenjuiceRules } from './tokenjuice.ts';

// npm run bench:feedback [-- --write]: what agents read of the recorded outputs, by our rule and by others. `--write` puts
// the table into the documentation. FEEDBACK_CORPUS names a further folder of cases.
const PAGE = 'docs/feedback.md';
const isWritten = process.argv.includes('--write');
const folder = isWritten ? undefined : process.env.FEEDBACK_CORPUS;
const further = folder === undefined ? [] : [{ name: folder, cases: feedbackCases(folder) }];
const sets = [...recordedSets(), ...further];
const table = comparisonTable([OURS, ...CUTS, ...tokenjuiceRules()], sets);
console.log(table);
for (const recorded of new Set(sets.flatMap(({ cases }) => cases)))
  for (const { why, re } of lostFacts(OURS.excerpt(recorded) ?? '', recorded))
    console.log(`${recorded.name} lacks ${why}: /${re}/`);
if (isWritten) writeFileSync(PAGE, withComparison(readFileSync(PAGE, 'utf8'), table));
