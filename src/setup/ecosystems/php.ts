import {
  type Candidate,
  type Choice,
  firstUsed,
  type GateKind,
  type NamedCommands,
  pickNamed,
} from '../candidates.ts';
import { tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** Composer's scripts, and for kinds without a script, tools that are configured. */
export function phpGates(project: ProjectFacts): Candidate[] {
  if (!project.has('composer.json')) return [];
  const scripts = composerScripts(project);
  const script = (kind: GateKind): Choice => {
    const name = pickNamed(kind, scripts);
    return [`composer run ${name}`, name && `script ${name} in composer.json`];
  };
  return [
    ...firstUsed(
      'format',
      script('format'),
      ['vendor/bin/pint --test', project.first('pint.json')],
      [
        'vendor/bin/php-cs-fixer fix --dry-run --diff',
        project.first('.php-cs-fixer.dist.php', '.php-cs-fixer.php'),
      ],
    ),
    ...firstUsed('lint', script('lint'), [
      'vendor/bin/phpcs',
      project.first('phpcs.xml.dist', 'phpcs.xml', '.phpcs.xml.dist', '.phpcs.xml'),
    ]),
    ...firstUsed(
      'typecheck',
      script('typecheck'),
      ['vendor/bin/phpstan analyse', project.first('phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon')],
      ['vendor/bin/psalm', project.first('psalm.xml', 'psalm.xml.dist')],
    ),
    ...firstUsed(
      'test',
      script('test'),
      ['php artisan test', project.first('artisan')],
      ['vendor/bin/phpunit', project.first('phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml')],
    ),
  ];
}

/** A script is a command or a list of commands. */
function composerScripts(project: ProjectFacts): NamedCommands {
  const entries = Object.entries(tableAt(project.data('composer.json'), 'scripts'));
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join('\n')]));
}
