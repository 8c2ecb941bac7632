/** A project for tests of wiring: its files by path, as ES modules without aliases. */
import { ProjectTexts } from '../../client/wire/project-texts.ts';
import { resolveModule } from '../../client/wire/resolve-module.ts';

const NO_ALIASES = { aliases: [], baseUrl: undefined };

export function projectOf(files: Readonly<Record<string, string>>): ProjectTexts {
  return new ProjectTexts({
    paths: Object.keys(files).sort(),
    read: (path) => files[path],
    isOfModule: (path) => path.startsWith('src/account/'),
    isEsPackage: () => true,
    resolve: (from, name) =>
      resolveModule(from, name, NO_ALIASES, (path) => files[path] !== undefined),
    isTaken: () => false,
  });
}
