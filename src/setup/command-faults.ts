/** Why a command that stands in a project is no gate. */
export type CommandFault = 'does nothing' | 'never ends' | 'changes files';

/** Parts of a command that end with 0 or 1 whatever the project is like, as npm's placeholder. */
const IDLE_PART = /^(echo\b[^|]*|true|:|exit( \d+)?)?$/;

/** What waits for changes, or serves until it is ended. */
const NEVER_ENDS: readonly RegExp[] = [
  /\s--watch(-?all)?(?!\s+false)(?=\s|$|=(?!false))/i,
  /(?<!run |:)\b(tsc|vue-tsc|mocha|vitest|rollup|webpack)\b[^&|;]*\s-w\b/,
  /\b(nodemon|chokidar|watchexec|live-server|http-server|webpack-dev-server)\b/,
  /\b(vitest (watch|dev)|vitest\b[^&|;]*\s--ui|tsx watch|cypress open|webpack serve)\b/,
  /\b(vite|next|nuxt|astro) (dev|serve|preview|start)\b|\bvite\s*($|&)/,
  /\bkarma start\b(?![^&|;]*--single-run)/,
  /\bng test\b(?![^&|;]*--(no-watch|watch[= ]false))/,
];

/** What repairs where it should only look. */
const CHANGES_FILES: readonly RegExp[] = [
  /\s--(fix|write|apply|apply-unsafe|autocorrect|autocorrect-all)(?=\s|["']|$)/,
  /\b(prettier|gofmt)\b[^&|;]*\s-w\b/,
  /\brubocop\b[^&|;]*\s-[aA]\b/,
  /\b(go|dprint) fmt\b/,
  /\b(cargo fmt|deno fmt|ruff format|black|isort|mix format|pint|php-cs-fixer fix)\b(?![^&|;\n]*(--check|--diff|--test|--dry-run))/,
];

/** The first fault of a shell command, several lines of them too. */
export function commandFault(command: string): CommandFault | undefined {
  const parts = command.split(/&&|\|\||[;\n]/).map((part) => part.trim());
  if (parts.every((part) => IDLE_PART.test(part))) return 'does nothing';
  if (NEVER_ENDS.some((pattern) => pattern.test(command))) return 'never ends';
  if (CHANGES_FILES.some((pattern) => pattern.test(command))) return 'changes files';
  return undefined;
}
