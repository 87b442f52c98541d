import type { CommandGate } from '../gates/types.ts';
import { type ConfigProblem, nearestKey } from './config-problem.ts';
import { defaultSettings, type Layout, type Settings } from './defaults.ts';
import type { ParsedRalph } from './parse-ralph.ts';
import { parseVerify } from './parse-verify.ts';
import { hasContent, type Section, sectionOf, sliceSections } from './slice-sections.ts';

export interface ParsedWorktree {
  readonly settings: Settings;
  /** In the order of the file, disabled ones left out. */
  readonly gates: readonly CommandGate[];
  /** Everything that is wrong, in the order of the file. Gates and settings hold what was right. */
  readonly problems: readonly ConfigProblem[];
}

const OUR_KEYS = ['verify', 'ralph'];

/**
 * Reads a worktree.yaml. Never throws for what the file holds.
 *
 * @param root absolute directory that gates run in
 */
export async function parseWorktree(text: string, layout: Layout, root: string): Promise<ParsedWorktree> {
  const { sections, problems } = sliceSections(text);
  const ralph = await settingsOf(sectionOf(sections, 'ralph'), layout);
  const verifySection = sectionOf(sections, 'verify');
  const { commandTimeoutSeconds, passEnv } = ralph.settings;
  const context = { root, commandTimeoutSeconds, passEnv };
  const verify = verifySection ? await parseVerify(verifySection, context) : { gates: [], problems: [] };
  return {
    settings: ralph.settings,
    gates: verify.gates,
    problems: [
      ...problems,
      ...judgeKeys(sections),
      ...findNestedVerify(sections),
      ...ralph.problems,
      ...verify.problems,
    ].toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

async function settingsOf(section: Section | undefined, layout: Layout): Promise<ParsedRalph> {
  if (!section || ![section.inline, ...section.body].some(hasContent))
    return { settings: defaultSettings(layout), problems: [] };
  const { parseRalph } = await import('./parse-ralph.ts');
  return parseRalph(section, layout);
}

/** Trellis's own keys, and those of anyone else, are left alone; a near miss of ours and a second one are not. */
function judgeKeys(sections: readonly Section[]): ConfigProblem[] {
  return sections.flatMap(({ key, line }, index) => {
    if (OUR_KEYS.includes(key)) {
      const first = sections.findIndex((section) => section.key === key);
      if (first === index) return [];
      return [
        {
          line,
          column: 1,
          message: `found "${key}" again (first in line ${sections[first]?.line}), expected it once`,
        },
      ];
    }
    const nearest = nearestKey(key, OUR_KEYS);
    if (nearest === undefined) return [];
    return [
      {
        line,
        column: 1,
        message: `found unknown key "${key}", expected "${nearest}"; did you mean "${nearest}"?`,
      },
    ];
  });
}

/** The Python hook took a `verify:` wherever it stood: one that is no longer seen must not go unnoticed. */
function findNestedVerify(sections: readonly Section[]): ConfigProblem[] {
  if (sectionOf(sections, 'verify')) return [];
  for (const { key, line, body } of sections) {
    const offset = body.findIndex((text) => /^\s+verify:\s*(#.*)?$/s.test(text));
    if (offset === -1) continue;
    const message = `found "verify" inside "${key}", expected it at the margin`;
    return [{ line: line + 1 + offset, column: (body[offset] ?? '').search(/\S/) + 1, message }];
  }
  return [];
}
