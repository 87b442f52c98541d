import { describe, expect } from 'vitest';
import { gateFiles } from '../../helpers/gate-config.ts';
import { testInProcess } from '../../helpers/mcp-client.ts';
import { test } from '../../helpers/project.ts';
import { gateHookAnswers, hookAnswers, mainStops } from '../../helpers/stops.ts';

const PASS = '{"passed":true,"results":[]}';
const gate = '{"name": "test", "command": "true"}';
const outputPath = '"outputPath": "results.json"';

/** Configs that no gate can be run from, each with the results file of an earlier pass. */
const CONFIGS = [
  { config: 'without gates', text: `{"gates": [], ${outputPath}}` },
  {
    config: 'whose gates are disabled',
    text: `{"gates": [{"name": "a", "command": "b", "enabled": false}], ${outputPath}}`,
  },
  { config: 'with a wrong value', text: `{"gates": [{"name": "a", "command": 1}], ${outputPath}}` },
  { config: 'with a repeated key', text: `{${outputPath}, "gates": [${gate}], "gates": []}` },
  { config: 'that is not closed', text: `{"gates": [${gate}], ${outputPath}` },
  { config: 'whose gates are no list', text: `{"gates": ${gate}, ${outputPath}}` },
];

describe.concurrent('the results file of an earlier pass is replaced by a failure for a config', () => {
  const replaced = { passed: false, results: [], firstFailure: null, warnings: [], totalDurationMs: 0 };

  test.for(CONFIGS)('$config, by both hooks', async ({ text }, { makeProject }) => {
    for (const answers of [gateHookAnswers, hookAnswers]) {
      const project = makeProject({ 'gate.config.json': text, 'results.json': PASS });
      await answers(project, mainStops(project));
      expect(JSON.parse(project.read('results.json'))).toMatchObject(replaced);
    }
  });

  testInProcess.for(CONFIGS)('$config, by the MCP server', async ({ text }, { makeProject, connect }) => {
    const project = makeProject({ 'gate.config.json': text, 'results.json': PASS });
    await (await connect(project)).call('verify');
    expect(JSON.parse(project.read('results.json'))).toMatchObject(replaced);
  });

  test('beside a worktree.yaml that is broken', async ({ makeProject }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'test', command: 'true' }], { outputPath: 'results.json' }),
      'worktree.yaml': 'ralph: 5\n',
      'results.json': PASS,
    });
    await hookAnswers(project, mainStops(project));
    expect(JSON.parse(project.read('results.json'))).toMatchObject(replaced);
  });
});
