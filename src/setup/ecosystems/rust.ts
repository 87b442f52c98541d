import { tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';

/** Compiling all of it for the first time takes minutes. */
const COMPILES = 600;

/**
 * clippy alone fails for nothing that it warns of, and warnings that were there before would block every stop: it is a
 * gate, with warnings as errors, where the project has set it up; elsewhere the compiler is.
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
          timeoutSeconds: COMPILES,
        }
      : {
          kind: 'typecheck',
          name: 'check',
          run: `cargo check${workspace} --all-targets`,
          why: 'Cargo.toml',
          timeoutSeconds: COMPILES,
        },
    { kind: 'test', run: `cargo test${workspace}`, why: 'Cargo.toml', timeoutSeconds: COMPILES },
  ];
}

function clippySetup(project: ProjectFacts): string | undefined {
  const manifest = project.data('Cargo.toml');
  const lints = { ...tableAt(manifest, 'lints'), ...tableAt(manifest, 'workspace', 'lints') };
  if (Object.hasOwn(lints, 'clippy')) return 'lints.clippy in Cargo.toml';
  return project.first('clippy.toml', '.clippy.toml');
}
