import { type GateKind, KINDS } from '../proposed-gate.ts';

/** What well-known programs check. */
const TOOLS: Readonly<Partial<Record<GateKind, RegExp>>> = {
  format: /\bprettier\b|\bbiome format\b|\bdprint check\b/,
  lint: /\b(eslint|oxlint|xo|standard|tslint|stylelint|next lint|biome (check|ci|lint))\b/,
  typecheck: /\b(tsc|tsgo|vue-tsc|svelte-check|astro check|nux[it] typecheck)\b/,
  test: /\b(vitest|jest|mocha|ava|tap|jasmine|karma|uvu|bun test|playwright test)\b|\bnode\b[^&|;]*--test\b/,
};

/** The kinds of checks in a command, cheap ones first. */
export function kindsIn(command: string): GateKind[] {
  return KINDS.filter((kind) => TOOLS[kind]?.test(command));
}
