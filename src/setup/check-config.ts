import { relative } from 'node:path';
import type { ProjectFiles } from '../config/discover.ts';
import type { ProjectConfig } from '../config/load.ts';
import type { Finding } from './finding.ts';

/** Whether a project's config guards anything. */
export function checkConfig(
  { root, layout, config, gateConfig }: ProjectFiles,
  { settings, gates, problems }: ProjectConfig,
  task: string | undefined,
): Finding[] {
  const about = 'Config';
  const files = [config, gateConfig].flatMap((file) => (file ? relative(root, file.path) : []));
  const named = files.join(', ') || 'no config; the current task is guarded by markers';
  if (problems.length > 0)
    return problems.map((what) => ({
      about,
      level: 'error',
      what,
      mend: 'Repair it: until then each stop is blocked with this error, up to the cap.',
    }));
  const guarded = `${named}: guards ${gateConfig ? 'whoever calls the hook' : settings.agents.join(', ')}`;
  const isTrellis = layout === 'trellis' && gateConfig === undefined;
  return [
    gates.length > 0 || isTrellis
      ? { about, level: 'ok', what: guarded }
      : {
          about,
          level: 'error',
          what: `${named} asks for nothing: every stop is allowed.`,
          mend: 'Put commands below "verify:", or run ralph-loop init.',
        },
    ...(isTrellis && task === undefined
      ? [
          {
            about,
            level: 'warning' as const,
            what: 'No current task is set: every stop is allowed until one is.',
            mend: 'Trellis sets it in .trellis/.current-task when a task is started.',
          },
        ]
      : []),
  ];
}
