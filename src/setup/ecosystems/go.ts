import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate } from '../proposed-gate.ts';

const GOLANGCI = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];

/** gofmt always ends with 0: what it lists fails the gate. golangci-lint runs vet too. */
export function goGates(project: ProjectFacts): Candidate[] {
  const why = project.first('go.work', 'go.mod');
  if (why === undefined) return [];
  const packages = packagesOf(project);
  // What lies there is not ours to format, and npm's packages hold Go files too.
  const ownFiles = project.has('vendor/', 'package.json') ? "grep -vE '^(vendor|node_modules)/'" : 'grep .';
  const golangci = project.first(...GOLANGCI);
  return [
    { kind: 'format', run: `! gofmt -l . | ${ownFiles}`, why },
    golangci
      ? { kind: 'lint', run: `golangci-lint run ${packages}`, why: golangci, timeoutSeconds: 300 }
      : { kind: 'lint', name: 'vet', run: `go vet ${packages}`, why },
    { kind: 'test', run: `go test ${packages}`, why, timeoutSeconds: 600 },
  ];
}

/** In a workspace, `./...` means the packages of the root's own module only, or is refused where there is none. */
function packagesOf(project: ProjectFacts): string {
  const text = project.text('go.work').replaceAll(/\/\/.*/g, '');
  const uses = [...text.matchAll(/^use\s+(?:\(([^)]*)\)|(\S+))/gm)].flatMap(([, block, one]) =>
    (block ?? one ?? '').split(/\s+/).filter(Boolean),
  );
  const patterns = uses.map((path) => (path === '.' ? './...' : `${path.replace(/\/$/, '')}/...`));
  return patterns.join(' ') || './...';
}
