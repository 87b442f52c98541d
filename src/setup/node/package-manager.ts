import { type Table, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** How a package manager is told to do what gates do. */
export interface PackageManager {
  /** Runs a script of the package at the root. */
  run(script: string): string;
  /** Runs a program that is installed in the project, and downloads none. */
  exec(command: string): string;
  /** Runs a script in every package of the workspace. */
  runEverywhere(script: string): string;
  /** A package without the script is a failure, and not passed over. */
  readonly needsScriptEverywhere?: boolean;
}

const YARN = {
  run: (script: string) => `yarn run ${script}`,
  // `yarn run` would take a script of the program's name.
  exec: (command: string) => `yarn exec -- ${command}`,
};

/** `run` is written out for yarn and bun: `yarn check` and `bun test` are commands of their own. */
const MANAGERS = {
  npm: {
    run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
    exec: (command) => `npx --no-install ${command}`,
    runEverywhere: (script) => `npm run ${script} --workspaces --if-present`,
  },
  pnpm: {
    run: (script) => (script === 'test' ? 'pnpm test' : `pnpm run ${script}`),
    exec: (command) => `pnpm exec ${command}`,
    runEverywhere: (script) => `pnpm -r --if-present run ${script}`,
  },
  yarn: { ...YARN, runEverywhere: (script) => `yarn workspaces foreach -A run ${script}` },
  yarn1: {
    ...YARN,
    runEverywhere: (script) => `yarn workspaces run ${script}`,
    needsScriptEverywhere: true,
  },
  bun: {
    run: (script) => `bun run ${script}`,
    exec: (command) => `bunx --no-install ${command}`,
    runEverywhere: (script) => `bun run --filter '*' ${script}`,
  },
} satisfies Record<string, PackageManager>;

/** npm's own comes last: a stray `package-lock.json` is what one `npm install` too many leaves behind. */
const LOCK_FILES: readonly [name: string, file: string][] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['pnpm', 'pnpm-workspace.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock'],
  ['bun', 'bun.lockb'],
];

/** The package manager that a package.json names, or else the one whose lock file is there; npm by default. */
export function packageManagerOf(project: ProjectFacts, packageJson: Table): PackageManager {
  const named = [packageJson.packageManager, valueAt(packageJson, 'devEngines', 'packageManager', 'name')]
    .map((value) => /^(npm|pnpm|yarn|bun)(?:@(\d+))?/.exec(typeof value === 'string' ? value : ''))
    .find((match) => match !== null);
  const name = named?.[1] ?? LOCK_FILES.find(([, file]) => project.has(file))?.[0] ?? 'npm';
  if (name !== 'yarn') return MANAGERS[name as keyof typeof MANAGERS];
  const isFirst = named?.[2] === undefined ? !project.has('.yarnrc.yml') : named[2] === '1';
  return isFirst ? MANAGERS.yarn1 : MANAGERS.yarn;
}
