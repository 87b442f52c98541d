import { CLAUDE_HOOK_FILE, type KnownHost } from './host.ts';

const PLUGIN = '.agents/plugins/ralph-loop';

/**
 * Goose, as its documentation and its source describe it; not driven. A hook belongs to a plugin of the project, whose
 * directory is all that the hook gets: a stop has no directory of the project. Goose ignores what a hook answers to a
 * prompt.
 */
export const goose: KnownHost<'goose'> = {
  name: 'goose',
  title: 'Goose',
  recognizes: ({ event }, { PLUGIN_ROOT }) => PLUGIN_ROOT !== undefined && typeof event === 'string',
  translate: ({ event: name, message, working_dir, ...event }, { PLUGIN_ROOT = '' }) => ({
    ...event,
    project_directories: [PLUGIN_ROOT.replace(`/${PLUGIN}`, '')],
    hook_event_name: event.hook_event_name ?? name,
    prompt: event.prompt ?? message,
    cwd: event.cwd ?? working_dir,
  }),
  answerExtras: [],
  timeout: { unit: 's', defaultSeconds: 30 },
  blockCap: 8,
  projectFiles: ['.goosehints', PLUGIN],
  executable: 'goose',
  hookFile: {
    path: `${PLUGIN}/hooks/hooks.json`,
    otherPaths: [],
    ...CLAUDE_HOOK_FILE,
    events: { main: 'Stop', prompt: 'UserPromptSubmit' },
    hasMatcher: false,
    projectDirectory: '$PLUGIN_ROOT/../../..',
  },
  sampleStop: ({ hook_event_name, session_id, cwd }, root) => ({
    event: { event: hook_event_name, session_id, working_dir: cwd },
    env: { PLUGIN_ROOT: `${root}/${PLUGIN}` },
  }),
};
