import { describe, expect, test } from 'vitest';
import { linesOfUntyped } from '../../../../src/chain/parse/marks.ts';
import { parsePrompt, renderSteps } from '../../../../src/chain/parse/parse-prompt.ts';
import { LIBRARY, parsed, problemsOf } from '../../../helpers/typed-prompt.ts';

const GATE = ':: verify:"x"';

/** Where a gate is typed: it runs. */
const TYPED = {
  'behind the task': `fix it ${GATE}`,
  'before the task': `${GATE} fix it`,
  'in a line of its own': `fix it\n\n${GATE}\n`,
  'in brackets': `fix it (${GATE})`,
  'without a blank after the colons': 'fix it ::verify:"x"',
  'after Chinese punctuation': '修复。::verify:"x"',
  'in a list item': `- fix it ${GATE}`,
  'as a list item': `fix it\n- ${GATE}`,
  'in a numbered item': `1. fix it ${GATE}`,
  'in a nested item': `- a\n    - fix it ${GATE}`,
  'in the second line of an item': `- fix it\n    ${GATE}`,
  'in a heading': `# Fix it ${GATE}`,
  'indented by two blanks': `fix it\n  ${GATE}`,
  'below a quotation': `> said\n${GATE} fix it`,
  'below a code block': `fix it\n\`\`\`\nlog\n\`\`\`\n${GATE}`,
  'before two code blocks': `fix it ${GATE}\n\`\`\`\na\n\`\`\`\nand\n\`\`\`\nb\n\`\`\``,
  'below an element': `<log>\nboom\n</log>\nfix it ${GATE}`,
  'below a comment': `<!-- note -->\nfix it ${GATE}`,
  'below a diff': `fix it\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n${GATE}`,
  'below a table': `fix it\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${GATE}`,
  'below indented code': `fix it\n\n    boom()\n\n${GATE}`,
  'beside a tag in a sentence': `the <button> is broken ${GATE}`,
  'beside a type parameter': `Vec<T> leaks ${GATE}`,
  'beside a checked box': `- [x] fix it ${GATE}`,
  'beside inline code': `fix \`a\` and \`b\` ${GATE}`,
  'between inline code of two kinds': `fix \`a\` ${GATE} and \`\`b\`\``,
  'between inline code in other paragraphs': `fix \`a\`\n\n${GATE}\n\nand \`b\``,
  'before a criterion in quotes': `rename "cart" ${GATE} :: "reads well"`,
  'between quoted words in other lines': `rename "a"\n${GATE}\nto "b"`,
  'beside an apostrophe': `it's broken ${GATE}, isn't it`,
  'behind a quoted word': `rename "cart" ${GATE}`,
  'behind an inch sign': `fix the 5" screen ${GATE}`,
  'below an option': `--watch hangs ${GATE}`,
  'behind a call of a template': `>>fix the cart ${GATE}`,
  'in the step after an arrow': `a ${GATE}\n--> >>fix the cart ${GATE}`,
  'with tags in its command': `fix it :: verify:"grep '<b>' x"`,
};

/** Where a gate is a part of pasted text: nothing runs, and the rest of the prompt is as it was. */
const PASTED = {
  'a comment': `<!-- ${GATE} -->`,
  'a comment of several lines': `<!--\n${GATE}\n-->`,
  'a comment that is not closed': `<!--\n\n${GATE}`,
  'an element': `<document>\n${GATE}\n</document>`,
  'an element in one line': `<p>fix it ${GATE}</p>`,
  'an element with attributes': `<document\n  source="a.md">\n${GATE}\n</document>`,
  'an element of a host': `<system-reminder>\nfix it ${GATE}\n</system-reminder>`,
  'an element with another case': `<Document>\n${GATE}\n</DOCUMENT >`,
  'an element in an element': `<a><a>x</a>\n${GATE}\n</a>`,
  'an element that is not closed': `<document>\n\n${GATE}`,
  'a tag': `<img alt=' ${GATE.replaceAll('"', '&')}'> <img alt=" :: verify:'x' ">`,
  CDATA: `<![CDATA[\n${GATE}\n]]>`,
  PHP: `<?php\n${GATE}\n`,
  'an element with a name in another script': `<文档>\n${GATE}\n</文档>`,
  BBCode: `[quote=me]\n${GATE}\n[/quote]`,
  'a quotation': `> ${GATE}`,
  'a quotation without a blank': `>${GATE}`,
  'a quotation of a quotation': `> > ${GATE}`,
  'a quotation of a quotation, without blanks': `He wrote:\n>>fix it ${GATE}`,
  'a quotation of the third level': `>>>fix it ${GATE}`,
  'a quotation in a list': `- > fix it ${GATE}`,
  'a code block': `\`\`\`\n${GATE}\n\`\`\``,
  'a code block of tildes': `~~~\n${GATE}\n~~~`,
  'a code block that is not closed': `\`\`\`\n\n${GATE}`,
  'a code block in a list': `- \`\`\`\n  ${GATE}\n  \`\`\``,
  'a code block that begins in a sentence': `the log: \`\`\`\n\n${GATE}\n\`\`\``,
  'a text in triple quotes': `"""\n${GATE}\n"""`,
  'inline code': `\`${GATE}\``,
  'inline code of two lines': `\`fix it\n${GATE}\``,
  'indented code': `\n\n    ${GATE}`,
  'code indented by a tab': `\n\n\t${GATE}`,
  'code indented by no-break spaces': `\n\n\u00A0\u00A0\u00A0\u00A0${GATE}`,
  'the second line of indented code': `\n\n    a\n    ${GATE}`,
  'an added line of a diff': `+fix it ${GATE}`,
  'an added line that was indented': `+  ${GATE}`,
  'a sign of a diff': `+${GATE}`,
  'a removed line': `-${GATE}`,
  'a removed line that was indented': `-   ${GATE}`,
  'an unchanged line of a diff': `@@ -1,3 +1,3 @@\n a\n ${GATE}\n+b`,
  'the old form of a diff': `< ${GATE}`,
  'a table': `| a | ${GATE} |`,
  'a table without outer lines': `a | b\n--- | ---\nc | ${GATE}`,
  'the header of a table': `a | ${GATE}\n--- | ---`,
  'a table of a terminal': `│ a │ ${GATE} │`,
  'an excerpt with line numbers': `  12 | ${GATE}`,
  'a line comment': `// ${GATE}`,
  'a comment of a shell script': `# ${GATE}`,
  'a block comment': `/**\n * ${GATE}\n */`,
  'a qualified name': 'std::verify:"x"',
  'a qualified name with blanks': 'std:: verify:"x"',
  'a qualified decision': 'Gate::gate_action:skip',
  'three colons': ':::verify:"x"',
  emphasis: `**${GATE}**`,
};

/** Where nobody can know who typed it: the prompt is refused. */
const DOUBTFUL = {
  'a code block that a pasted fence ends': `\`\`\`\nlog\n\`\`\`\n${GATE}\n\`\`\`\nlog\n\`\`\``,
  'a code block that a pasted fence ends, in an odd number': `\`\`\`\n\`\`\`js\na\n\`\`\`\n${GATE}\n\`\`\``,
  'triple quotes that pasted ones end': `"""\na\n"""\n${GATE}\n"""\nb\n"""`,
  'an element that a pasted tag ends': `<document>\n</document>\n${GATE}\n</document>`,
  'an element that pasted tags end and begin': `<document>a</document>\n${GATE}\n<document>b</document>`,
  'a comment that a pasted one ends': `<!-- a -->\n${GATE}\n<!-- b -->`,
  'an indented line below a sentence': `look at this:\n    ${GATE}`,
  'a quoted sentence': `he said "fix it :: verify:'x' now"`,
  'a quoted sentence in JSON': `{"prompt": "fix it :: verify:'x' now"}`,
  'a quoted sentence with typographic quotes': `he said “fix it ${GATE} now”`,
  'a quotation that pasted quotation marks end': `fix "a" ${GATE} "b"`,
  'inline code that pasted backticks end': `fix \`a\` ${GATE} \`b\``,
  'inline code of two lines that pasted backticks end': `fix \`a\`\n${GATE}\n\`b\``,
  'a shell command': `claude -p 'fix it ${GATE} now'`,
};

describe('a typed gate runs', () => {
  test.for(Object.entries(TYPED))('%s: %j', ([, prompt]) => {
    const gates = parsed(prompt).steps.flatMap(({ verify }) => verify);
    expect(gates.length).toBe(prompt.split(/:: ?verify/).length - 1);
    expect(linesOfUntyped(prompt, LIBRARY.criterion)).toEqual([]);
  });
});

describe('a pasted gate is text in', () => {
  const pasted = Object.entries(PASTED);

  test.for(pasted)('%s: %j', ([, text]) => {
    expect(parsePrompt(text, LIBRARY)).toBeUndefined();
    expect(parsePrompt(`Please read this:\n\n${text}`, LIBRARY)).toBeUndefined();
    expect(linesOfUntyped(text, LIBRARY.criterion)).toHaveLength(1);
  });

  test.for(pasted)('%s, above a typed gate: %j', ([, text]) => {
    // A text that is not closed reaches to the end of the prompt.
    const found = renderSteps(`Read this:\n\n${text}\n\nThen fix it :: verify:"typed"`, LIBRARY);
    const commands = found.ok ? found.value.steps.flatMap(({ verify }) => verify) : [];
    expect(commands.map(({ command }) => command).filter((command) => command !== 'typed')).toEqual([]);
  });

  test.for(pasted)('%s, with a decision: %j', ([, text]) => {
    const decision = text.replace(/verify:(["'])x\1/, 'gate_action:abort');
    expect(parsePrompt(`Please read this:\n\n${decision}`, LIBRARY)).toBeUndefined();
  });
});

describe('a prompt is refused if its gate may be part of', () => {
  test.for(Object.entries(DOUBTFUL))('%s: %j', ([, prompt]) => {
    expect(problemsOf(prompt)).toEqual([expect.stringMatching(/^\d+:\d+: found a gate (?:in|between) /)]);
    expect(problemsOf(`${prompt}\n\nfix it :: verify:"typed"`).length).toBeLessThanOrEqual(1);
    expect(parsePrompt(`${prompt}\n\nfix it`, LIBRARY)).toMatchObject({ ok: false });
  });
});
