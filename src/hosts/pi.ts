import { hookSpecificOutput, type KnownHost, PLUGIN_PAGE } from './host.ts';

const { subagent: _, ...EVENTS } = PLUGIN_PAGE.events;

/** Pi, from 0.87 on: older versions do not ask their extensions whether a turn goes on. It has no subagents of its own. */
export const pi: KnownHost<'pi'> = {
  name: 'pi',
  title: 'Pi',
  recognizes: (_, { PI_CODING_AGENT }) => PI_CODING_AGENT === 'true',
  answerExtras: ['systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  timeout: { unit: 's', defaultSeconds: 600 },
  projectFiles: ['.pi'],
  executable: 'pi',
  hookFile: {
    path: '.pi/extensions/ralph-loop.js',
    otherPaths: ['~/.pi/agent/extensions/ralph-loop.js'],
    page: 'pi.mjs',
    ...PLUGIN_PAGE,
    events: EVENTS,
  },
  // As Pi 0.87.1 stores it: the nearest folder decides.
  trust: {
    instructions:
      'Pi (0.87 or later) skips the extensions of a project that is not trusted, without a message: start pi here once and trust the project, or start it with --approve.',
    findProblem({ env, lookUp, isProjectIn }) {
      const directory = env.PI_CODING_AGENT_DIR ?? '~/.pi/agent';
      const file = `${directory}/trust.json`;
      const [nearest] = Object.entries(lookUp(file) as object)
        .filter(([folder]) => isProjectIn(folder))
        .toSorted(([one], [other]) => other.length - one.length);
      const isTrusted =
        nearest?.[1] ?? lookUp(`${directory}/settings.json`, 'defaultProjectTrust') === 'always';
      return isTrusted === true
        ? undefined
        : {
            level: 'error',
            message: `${file} does not list this folder as trusted: without --approve, Pi skips its extensions.`,
          };
    },
  },
  sampleStop: (event) => ({ event, env: { PI_CODING_AGENT: 'true' } }),
};
