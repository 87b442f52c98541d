import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { qwen, qwenOfNode20 } from './clients/qwen.ts';

/** A client that takes its prompt on stdin, and tells in JSON how it went. */
export interface JsonMode {
  readonly client: Client;
  /** Its command line, without what names the form. */
  readonly words: readonly string[];
  /** What names it, the form that people use most first. */
  readonly forms: readonly [readonly string[], ...(readonly string[])[]];
  readonly tellsNoTokens?: true;
}

const OF_QWEN = {
  words: ['--auth-type', 'openai', '--approval-mode', 'yolo', '--output-format'],
  forms: [['json'], ['stream-json']],
} as const;

/** Every client and form whose output is understood; Claude Code first. */
export const JSON_MODES: readonly [JsonMode, ...JsonMode[]] = [
  {
    client: claudeCode,
    words: ['-p', '--permission-mode', 'bypassPermissions', '--output-format'],
    forms: [['json'], ['stream-json', '--verbose']],
  },
  { client: codex, words: ['exec', '--dangerously-bypass-approvals-and-sandbox'], forms: [['--json']] },
  {
    client: gemini,
    words: ['--approval-mode', 'yolo', '--model', 'scripted', '--output-format'],
    forms: [['json'], ['stream-json']],
  },
  { client: qwen, ...OF_QWEN },
  { client: qwenOfNode20, ...OF_QWEN },
  { client: copilot, words: ['--allow-all', '--output-format'], forms: [['json']], tellsNoTokens: true },
];
