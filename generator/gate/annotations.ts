/**
 * The verdict as annotations, in the form that code hosts read from a log:
 *
 *     ::error file=builds/alice/web/stackyard.json,line=1,title=gate-version-order::Version 1.0.0 is not...
 */
import type { GateVerdict } from '../../format/registry/gate-verdict.ts';
import { buildFolder } from '../../format/registry/repository-layout.ts';
import { escapeCommandData, escapeCommandProperty } from './escape.ts';

const MAX_ANNOTATIONS = 50;

/** One line each; reasons first, then the other findings of the builds. */
export function formatAnnotations({ reasons, builds, layout = 'flat' }: GateVerdict): string[] {
  const ofReasons = reasons.map(({ level, code, file, line, message, remedy }) =>
    command(level === 'refuse' ? 'error' : 'notice', code, file, line, `${message}. ${remedy}`),
  );
  const ofFindings = builds.flatMap(({ id, findings }) =>
    findings
      .filter((found) => found.level !== 'error')
      .map(({ level, code, file, line, message }) => {
        const path = file === '' ? '' : `${buildFolder(id, layout)}/${file}`;
        return command(level === 'warn' ? 'warning' : 'notice', code, path, line, message);
      }),
  );
  return [...ofReasons, ...ofFindings].slice(0, MAX_ANNOTATIONS);
}

function command(name: string, title: string, file: string, line: number, text: string): string {
  const properties = [
    file === '' ? '' : `file=${escapeCommandProperty(file)}`,
    line === 0 ? '' : `line=${line}`,
    `title=${escapeCommandProperty(title)}`,
  ];
  return `::${name} ${properties.filter((p) => p !== '').join(',')}::${escapeCommandData(text)}`;
}
