import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { readPromptLibrary, renderTemplate, templateNames } from '../chain/parse/templates.ts';
import { rootAround } from '../config/discover.ts';

const ARGUMENTS = { name: 'arguments', description: 'replaces $ARGUMENTS in the template', required: false };

/** The project's templates as prompts that a person can select, read again at each call. */
export function listTemplatePrompts(cwd: string): ListPromptsResult {
  const names = templateNames(rootAround(cwd) ?? cwd);
  return { prompts: names.map((name) => ({ name, arguments: [ARGUMENTS] })) };
}

/** @throws ProtocolError if there is no such template */
export function getTemplatePrompt(
  cwd: string,
  name: string,
  { arguments: words = '' }: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const { template } = readPromptLibrary(rootAround(cwd) ?? cwd);
  if (template(name) === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no template ${name}.`);
  const text = renderTemplate(`>>${name} ${words}`, template);
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
