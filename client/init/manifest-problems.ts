/** The problems of a folder with the files that `init` is about to write. */
import { findingMessage } from '../../format/finding/finding.ts';
import type { Source } from '../../scan/source.ts';
import { validate } from '../../scan/validate.ts';
import type { NewFile } from './write-files.ts';

/** Messages of the errors for which the registry would refuse `source` with `files` written into it. */
export function manifestProblems(
  owner: string,
  name: string,
  source: Source,
  files: readonly NewFile[],
): string[] {
  const names = files.map((file) => file.name);
  const all = [
    ...source.files.filter(({ path }) => !names.includes(path)),
    ...files.map(({ name: path, text }) => {
      const bytes = Buffer.from(text);
      return { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
    }),
  ];
  const { findings } = validate({ owner, name, source: { files: all, isCut: source.isCut } });
  return findings
    .filter(({ level }) => level === 'error')
    .map((found) => `${found.file === '' ? '' : `${found.file}: `}${findingMessage(found)}`);
}
