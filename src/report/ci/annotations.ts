import type { CiReport, Problem } from './ci-report.ts';

/** GitHub shows no more of a level. */
const MAX_OF_LEVEL = 10;

/** The workflow commands of GitHub Actions that show the problems of a report at their lines. */
export function annotations({ problems }: CiReport): string[] {
  const of = (level: Problem['level']) =>
    problems.filter((problem) => problem.level === level).slice(0, MAX_OF_LEVEL);
  return [...of('error'), ...of('warning')].map(annotation);
}

function annotation({ level, place, title, message }: Problem): string {
  const properties = [
    ...(place ? [`file=${escapeProperty(place.path)}`] : []),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
