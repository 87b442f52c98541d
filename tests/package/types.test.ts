import { cpSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { compile, tsconfig } from '../helpers/compile.ts';
import { test } from '../helpers/packed-package.ts';

/** Uses the whole API, with mistakes that the compiler must report. */
const USE = `
import {
  type FormatOptions, formatConsoleOutput, formatFailureContext, type Gate, type GateConfig, GateConfigError,
  type GateProgress, type GateResult, type GateRunSummary, generateHookResponse, type HookOutput, type LoadedConfig, loadConfig,
  type RunOptions, runGates,
} from 'ralph-loop-cli';

const gate: Gate = { name: 'lint', command: 'npm run lint', env: { CI: true } };
const loaded: LoadedConfig = await loadConfig();
await runGates(loaded.config?.gates ?? [gate], { failFast: true, cwd: '.' });
const config: GateConfig = { ...(await loadConfig('.')), gates: [gate], failFast: false };
const events: GateProgress[] = [];
const options: RunOptions = { signal: AbortSignal.timeout(1000), onEvent: (event) => events.push(event) };
const summary: GateRunSummary = await runGates(config, options);
const failure: GateResult | null = summary.firstFailure;
const answer: HookOutput = generateHookResponse(summary);
const looks: FormatOptions = { color: true };
const texts: string[] = [formatConsoleOutput(summary, looks), formatFailureContext(failure?.stderr ?? '')];
const problems: readonly string[] = new GateConfigError(texts).problems;
export { answer, problems };

// @ts-expect-error a gate has a command
export const wrong: Gate = { name: 'lint' };
// @ts-expect-error a result is read-only
summary.passed = true;
// @ts-expect-error there is no such reason
export const never = failure?.reason === 'bored';
`;

describe('the types', () => {
  test.for([
    { resolution: 'nodenext', types: [], lib: ['es2023', 'dom'] },
    { resolution: 'bundler', types: [], lib: ['es2023', 'dom'] },
    { resolution: 'nodenext', types: ['node'], lib: ['es2023'] },
  ])(
    'of the package compile with $resolution, the types $types and the libraries $lib',
    async (row, { packed, makeProject }) => {
      const { resolution, ...options } = row;
      const module = resolution === 'bundler' ? 'esnext' : resolution;
      const project = makeProject({
        'package.json': '{ "type": "module" }\n',
        'tsconfig.json': tsconfig({ ...options, module, moduleResolution: resolution }),
        'use.ts': USE,
      });
      cpSync(`${packed.home}/node_modules`, project.path('node_modules'), { recursive: true });
      expect(await compile(project.root)).toBe('');
    },
  );
});
