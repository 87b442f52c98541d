import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { readPromptLibrary, templateNames } from '../chain/parse/read-prompt-library.ts';
import { renderTemplate } from '../chain/parse/render-template.ts';
import { rootAround } from '../config/discover.ts';

const ARGUMENTS = { name: 'arguments', description: 'goes to $ARGUMENTS of the template', required: false };

/** The project's templates as prompts that a person picks; looked for anew each time. */
export function listTemplatePrompts(cwd: string): ListPromptsResult {
  const names = templateNames(rootAround(cwd) ?? cwd);
  return { prompts: names.map((name) => ({ name, arguments: [ARGUMENTS] })) };
}

/** @throws ProtocolError where there is no such template */
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
