import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const TRACED =
  '+ umask 022\n++ cat VERSION\n+ version=2.4.0\n+ for part in core api\n+ mkdir -p dist/core\n+ for part in core api\n+ mkdir -p dist/api\n+ tar czf dist.tgz dist\n+ sha256sum dist.tgz\n+ git describe --exact-match';

test('of the commands that a shell has traced, those right before a failure and at the end are shown', () => {
  expect(excerpt(`${TRACED}\nfatal: no tag matches\n+ tag=\n+ exit 1\n`)).toBe(
    '… 8 lines …\n+ sha256sum dist.tgz\n+ git describe --exact-match\nfatal: no tag matches\n+ tag=\n+ exit 1',
  );
});

test('what a diff adds is no traced command', () => {
  const diff = `error: the snapshot differs\n- Snapshot - 0\n+ Received + 10\n\n${TRACED}`;

  expect(excerpt(diff)).toBe(diff);
});
