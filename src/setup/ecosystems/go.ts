import type { Candidate } from '../candidates.ts';
import type { ProjectFacts } from '../project-facts.ts';

const GOLANGCI = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];

/** gofmt always exits with 0, so the gate fails if it lists a file. golangci-lint includes vet. */
export function goGates(project: ProjectFacts): Candidate[] {
  const why = project.first('go.work', 'go.mod');
  if (why === undefined) return [];
  const packages = packagesOf(project);
  // Vendored code is not the project's to format, and npm packages can have Go files.
  const filter = project.has('vendor/', 'package.json') ? "grep -vE '^(vendor|node_modules)/'" : 'grep .';
  const golangci = project.first(...GOLANGCI);
  return [
    { kind: 'format', run: `! gofmt -l . | ${filter}`, why },
    golangci
      ? { kind: 'lint', run: `golangci-lint run ${packages}`, why: golangci, timeoutSeconds: 300 }
      : { kind: 'lint', name: 'vet', run: `go vet ${packages}`, why },
    { kind: 'test', run: `go test ${packages}`, why, timeoutSeconds: 600 },
  ];
}

/** In a workspace, `./...` matches only the root's own module, and fails if there is none. */
function packagesOf(project: ProjectFacts): string {
  const text = project.text('go.work').replaceAll(/\/\/.*/g, '');
  const uses = [...text.matchAll(/^use\s+(?:\(([^)]*)\)|(\S+))/gm)].flatMap(([, block, one]) =>
    (block ?? one ?? '').split(/\s+/).filter(Boolean),
  );
  const patterns = uses.map((path) => (path === '.' ? './...' : `${path.replace(/\/$/, '')}/...`));
  return patterns.join(' ') || './...';
}
