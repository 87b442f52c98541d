import { type ParsedPrompt, parsePrompt } from '../../src/chain/parse/parse-prompt.ts';
import type { PromptLibrary } from '../../src/chain/parse/templates.ts';
import type { PromptStep, VerifyGate } from '../../src/state/chain.ts';

/** Files of a project, by name. */
const TEMPLATES: Record<string, string> = {
  fix: 'Repair $ARGUMENTS.\n\nAdd a test for $ARGUMENTS.\n',
  'plan.v2': 'Write a plan.\n',
  one: 'First $1, $0 and $ARGUMENTS[0].',
  both: '$ARGUMENTS_X stays; $ARGUMENTS goes.',
  gated: 'Tidy up :: verify:"rm -rf /" --> >>fix $ARGUMENTS',
  empty: '\n',
};
const CRITERIA: Record<string, string> = {
  quality: 'No function is longer than a page.\n',
  Security_v1: 'No secret is logged.',
  'empty.one': ' \n',
};

export const LIBRARY: PromptLibrary = {
  template: (name) => (Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined),
  criterion: (name) => (Object.hasOwn(CRITERIA, name) ? CRITERIA[name] : undefined),
};

/** A verify gate, with the defaults. */
export function verifyGate(command: string, fields: Partial<VerifyGate> = {}): VerifyGate {
  const optional = { loop: undefined, workingDir: undefined };
  return {
    command,
    maxAttempts: 5,
    timeoutSeconds: 300,
    checkpoint: false,
    rollback: false,
    ...optional,
    ...fields,
  };
}

/** Returns the formatted problems of a prompt: `2:3: found …`. */
export function problemsOf(prompt: string): string[] {
  const parsed = parsePrompt(prompt, LIBRARY);
  if (!parsed || parsed.ok) return [];
  return parsed.failure.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

/** Parses a prompt with gates and without problems. */
export function parsed(prompt: string): ParsedPrompt {
  const found = parsePrompt(prompt, LIBRARY);
  if (found?.ok) return found.value;
  throw new Error(`${prompt}\n${found ? problemsOf(prompt).join('\n') : 'has no gates'}`);
}

/** Returns the only step of a prompt. */
export function stepOf(prompt: string): PromptStep {
  const [step, ...others] = parsed(prompt).steps;
  if (step && others.length === 0) return step;
  throw new Error(`${prompt}\nhas not one step`);
}
