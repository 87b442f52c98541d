import { type Candidate, firstUsed } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** rubocop or standard, and the tests of rspec, Rails or Rake. */
export function rubyGates(project: ProjectFacts): Candidate[] {
  const bundle = project.has('Gemfile') ? 'bundle exec ' : '';
  const gem = (name: string) =>
    new RegExp(`^\\s*gem ["']${name}["']`, 'm').test(project.text('Gemfile'))
      ? `${name} in Gemfile`
      : undefined;
  const railsTests = project.has('test/') ? project.first('bin/rails') : undefined;
  const rakeTests = /\b(TestTask|task :?test)\b/.test(project.text('Rakefile')) ? 'Rakefile' : undefined;
  return [
    ...firstUsed(
      'lint',
      [`${bundle}rubocop`, project.first('.rubocop.yml') ?? gem('rubocop')],
      [`${bundle}standardrb`, project.first('.standard.yml') ?? gem('standard')],
    ),
    ...firstUsed(
      'test',
      [`${bundle}rspec`, project.first('.rspec') ?? gem('rspec') ?? gem('rspec-rails')],
      ['bin/rails test', railsTests],
      [`${bundle}rake test`, rakeTests],
    ),
  ];
}
