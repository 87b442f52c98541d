import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { kimi } from './clients/kimi.ts';
import { kilo, opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { qwen, qwenOfNode20 } from './clients/qwen.ts';

/** A client that reports its result in JSON. It reads its prompt from stdin, or in place of `{prompt}`. */
export interface JsonMode {
  readonly client: Client;
  /** Its command line without the options for the output format. */
  readonly words: readonly string[];
  /** The options for each output format, the most common one first. */
  readonly forms: readonly [readonly string[], ...(readonly string[])[]];
  readonly reportsNoTokens?: true;
  /** The options without which it skips the hooks of the project. */
  readonly hookWords?: readonly string[];
}

const OF_QWEN = {
  words: ['--auth-type', 'openai', '--approval-mode', 'yolo', '--output-format'],
  forms: [['json'], ['stream-json']],
} as const;

/** All clients and formats whose output is parsed; Claude Code first. */
export const JSON_MODES: readonly [JsonMode, ...JsonMode[]] = [
  {
    client: claudeCode,
    words: ['-p', '--permission-mode', 'bypassPermissions', '--output-format'],
    forms: [['json'], ['stream-json', '--verbose']],
  },
  {
    client: codex,
    words: ['exec', '--dangerously-bypass-approvals-and-sandbox'],
    forms: [['--json']],
    hookWords: ['--dangerously-bypass-hook-trust'],
  },
  {
    client: gemini,
    words: ['--approval-mode', 'yolo', '--model', 'scripted', '--output-format'],
    forms: [['json'], ['stream-json']],
  },
  { client: qwen, ...OF_QWEN },
  { client: qwenOfNode20, ...OF_QWEN },
  { client: copilot, words: ['--allow-all', '--output-format'], forms: [['json']], reportsNoTokens: true },
  { client: opencode, words: ['run', '--format'], forms: [['json']] },
  { client: kilo, words: ['run', '--auto', '--format'], forms: [['json']] },
  {
    client: pi,
    words: ['--model', 'scripted/scripted', '--approve', '--print', '--mode'],
    forms: [['json']],
  },
  {
    client: kimi,
    words: ['-p', '{prompt}', '--output-format'],
    forms: [['stream-json']],
    reportsNoTokens: true,
  },
];
