import type { Candidate } from '../candidates.ts';
import { tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** The first complete build takes minutes. */
const BUILD_SECONDS = 600;

/**
 * Runs clippy with warnings as errors if the project configures clippy: without that option clippy never fails, and with
 * it, existing warnings of other projects would block every stop. Those projects get the compiler's check.
 */
export function rustGates(project: ProjectFacts): Candidate[] {
  if (!project.has('Cargo.toml')) return [];
  const manifest = project.data('Cargo.toml');
  const isWorkspace = Object.hasOwn(manifest, 'workspace');
  const workspace = isWorkspace ? ' --workspace' : '';
  const clippy = clippySetup(project);
  return [
    { kind: 'format', run: `cargo fmt${isWorkspace ? ' --all' : ''} --check`, why: 'Cargo.toml' },
    clippy
      ? {
          kind: 'lint',
          run: `cargo clippy${workspace} --all-targets -- -D warnings`,
          why: clippy,
          timeoutSeconds: BUILD_SECONDS,
        }
      : {
          kind: 'typecheck',
          name: 'check',
          run: `cargo check${workspace} --all-targets`,
          why: 'Cargo.toml',
          timeoutSeconds: BUILD_SECONDS,
        },
    { kind: 'test', run: `cargo test${workspace}`, why: 'Cargo.toml', timeoutSeconds: BUILD_SECONDS },
  ];
}

function clippySetup(project: ProjectFacts): string | undefined {
  const manifest = project.data('Cargo.toml');
  const lints = { ...tableAt(manifest, 'lints'), ...tableAt(manifest, 'workspace', 'lints') };
  if (Object.hasOwn(lints, 'clippy')) return 'lints.clippy in Cargo.toml';
  return project.first('clippy.toml', '.clippy.toml');
}
