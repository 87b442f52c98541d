import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { kimi } from './clients/kimi.ts';
import { kilo, opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { qwen, qwenOfNode20 } from './clients/qwen.ts';

/** All tested clients, in the order of the printed table. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  qwenOfNode20,
  copilot,
  opencode,
  kilo,
  pi,
  kimi,
];
