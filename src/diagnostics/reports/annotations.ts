import { addFailure, linesIn, type Report, type ReportedFailure } from './types.ts';

/** `::error file=a.ts,line=3,col=5,title=Types::message` */
const ANNOTATION = /^\s*::(error|warning)(?: (.*?))?::(.*)$/;

/** Reads the workflow commands of GitHub that name what is wrong. */
export function readAnnotations(text: string): Report {
  const failures: ReportedFailure[] = [];
  for (const line of linesIn(text)) {
    const [, kind, properties = '', message = ''] = ANNOTATION.exec(line) ?? [];
    if (kind !== 'error' && kind !== 'warning') continue;
    const {
      file,
      line: at,
      col,
      title,
    } = Object.fromEntries(
      properties.split(',').map((property) => {
        const [name = '', value = ''] = property.split(/=(.*)/s);
        return [name.trim(), unescaped(value)];
      }),
    );
    const [first = '', ...more] = unescaped(message).split('\n');
    addFailure(failures, {
      kind,
      file,
      line: Number(at) || undefined,
      column: Number(col) || undefined,
      message: title && !first.includes(title) ? `${title}: ${first}` : first,
      details: more.join('\n'),
    });
  }
  return { failures, isWhole: true };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '%25': '%',
  '%0D': '',
  '%0A': '\n',
  '%3A': ':',
  '%2C': ',',
};

function unescaped(text: string): string {
  return text.replace(/%(?:25|0D|0A|3A|2C)/gi, (sign) => ESCAPES[sign.toUpperCase()] ?? sign);
}
