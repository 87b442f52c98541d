import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const behind = (margin: string, text: string) => text.replace(/^(?=.)/gm, margin);

const PAGE = `TestingLibraryElementError: Unable to find an accessible element with the role "button" and name "Try again"

Here are the accessible roles:

  combobox:

  Name "Customer":
  <input
    aria-expanded="false"
    type="text"
  />

  --------------------------------------------------
  alert:

  Name "":
  <p role="alert" />

  --------------------------------------------------

Ignored nodes: comments, script, style
<body>
  <div
    class="root"
  >
    <label for="customer">
      Customer
    </label>
    <p role="alert">Could not load</p>
${Array.from({ length: 30 }, (_, i) => `    <li>Row ${'abcdefghij'[i % 10]}${'x'.repeat(i)}</li>`).join('\n')}
  </div>
</body>
`;

describe.each([
  [
    'Jest',
    behind('    ', PAGE),
    '  ● picks a customer\n\n',
    '    > 53 |   press(screen);\n         |         ^\n',
  ],
  ['Vitest', PAGE, ' FAIL  src/picker.test.tsx > picks a customer\n', ' ❯ src/picker.test.tsx:53:29\n'],
])('of a page that Testing Library prints in %s,', (_, page, title, below) => {
  const shown = excerpt(`${'✓ adds\n'.repeat(300)}${title}${page}\n${below}`);

  test('the roles with names and the first texts are shown', () => {
    for (const text of ['combobox:', 'Name "Customer":', 'Could not load', 'Row dxxx<'])
      expect(shown).toContain(text);
  });

  test('the tags, their attributes and the other texts are not', () => {
    for (const text of [
      'aria-expanded',
      '<input',
      'Name "":',
      'class="root"',
      '<body>',
      'Row jxxxxxxxxxxxxxxxx',
    ])
      expect(shown).not.toContain(text);
  });

  test('what is below is shown', () => {
    expect(shown).toContain(below.trimEnd().split('\n')[0]);
  });
});

test('of a long page, the names of the elements that have the role are shown, and no other names', () => {
  const element = (name: string) => `  Name "${name}":\n  <button\n    type="submit"\n  />\n\n`;
  const names = Array.from({ length: 80 }, (_, i) => `Robin ${'x'.repeat(i)}`);
  const page = PAGE.replace('combobox:\n\n', `option:\n\n${names.map(element).join('')}  button:\n\n`);
  const shown = excerpt(
    ` FAIL  src/picker.test.tsx > picks a customer\n${page} ❯ query node_modules/@testing-library/dom/dist/query.js:76:38\n ❯ src/picker.test.tsx:53:29\n`,
  );

  expect(shown).toContain('button:\n\n  Name "Customer":\n');
  expect(shown).not.toMatch(/Robin|<\/body>/);
  expect(shown).toContain('Could not load');
  expect(shown).toContain(' ❯ src/picker.test.tsx:53:29');
});
