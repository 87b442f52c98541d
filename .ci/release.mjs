// Checks a release and tags it: `npm run release -- [--dry-run]`. Nothing is published here.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const isDryRun = process.argv.includes('--dry-run');
const unknown = process.argv.slice(2).filter((arg) => arg !== '--dry-run');
if (unknown.length > 0) stop(`Unknown argument ${unknown[0]}. Usage: npm run release -- [--dry-run]`);

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const tag = `v${version}`;
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Each returns what is wrong, or undefined. */
const checks = {
  'the version is a semantic version': () =>
    /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version) ? undefined : `package.json has version "${version}"`,
  'the version is not tagged': () =>
    git('tag', '--list', tag) === '' ? undefined : `${tag} exists; set the next version in package.json`,
  'package-lock.json and plugin.json have the same version': () => {
    const others = ['package-lock.json', '.claude-plugin/plugin.json'].filter(
      (file) => JSON.parse(readFileSync(file, 'utf8')).version !== version,
    );
    return others.length > 0 ? `another version is in ${others.join(', ')}` : undefined;
  },
  'CHANGELOG.md has a dated section for the version': () => {
    const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm');
    return heading.test(readFileSync('CHANGELOG.md', 'utf8'))
      ? undefined
      : `expected a line "## [${version}] - YYYY-MM-DD"`;
  },
  'the working tree is clean, on main': () => {
    const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
    if (branch !== 'main') return `the branch is ${branch}`;
    return git('status', '--porcelain') === '' ? undefined : 'commit or remove your changes';
  },
  'the package has the expected contents and types': () => {
    const tests = ['vitest', 'run', '--config', '.vitest.config.ts', 'tests/package'];
    const failed = [
      ['npm', ['run', '--silent', 'build']],
      ['npx', tests],
    ].find(([program, args]) => spawnSync(program, args, { stdio: 'inherit' }).status !== 0);
    return failed && `${failed[0]} ${failed[1].join(' ')} failed`;
  },
};

const problems = Object.entries(checks).flatMap(([name, check]) => {
  const problem = check();
  console.log(problem === undefined ? `✓ ${name}` : `✗ ${name}: ${problem}`);
  return problem === undefined ? [] : [problem];
});
if (problems.length > 0) stop(`${tag} is not ready.`);
if (isDryRun) console.log(`${tag} is ready. Nothing was tagged.`);
else {
  git('tag', '--annotate', tag, '--message', `ralph-loop ${version}`);
  console.log(`Tagged ${tag}. Publish it with: git push origin ${tag} && npm publish`);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
