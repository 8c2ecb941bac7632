/** Dependencies that nothing in the build uses: they only add packages that can be attacked. */
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import { findingIn, type Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import { dependenciesOf, type Dependency } from '../../package/dependencies.ts';
import { distributionsOf } from '../../package/declared.ts';
import { importsOf, npmPackageOf } from '../../package/imports.ts';
import { quote } from '../../text/quote.ts';

/** The files searched for a name that no import has: settings and scripts, not data. */
const MAX_SEARCHED_FILE = 100_000;
const MAX_SEARCHED = 5_000_000;
const MAX_DEPENDENCIES = 200;

export const dependencyUnused: Rule = {
  name: 'dependency-unused',
  run: (build) => {
    // A build without code has dependencies for the tools that it configures.
    const code = build.files.filter(
      ({ syntax }) => syntax.language === 'javascript' || syntax.language === 'python',
    );
    // Code that was not read may use anything.
    if (code.length === 0 || build.files.some(({ syntax }) => syntax.language === 'unread'))
      return [];
    const imported = new Set(
      code
        .flatMap((file) => importsOf(file))
        .flatMap(({ specifier }) => [npmPackageOf(specifier) ?? '', ...distributionsOf(specifier)]),
    );
    const candidates = dependenciesOf(build).filter(
      ({ use, name, file }) =>
        use === 'runtime' && file.path === MANIFEST_FILE && !imported.has(name),
    );
    return candidates
      .slice(0, MAX_DEPENDENCIES)
      .filter((one) => !isMentioned(build, one))
      .map(({ name, file, start }) =>
        findingIn(file, 'dependency-unused', { name: quote(name) }, start, name.length),
      );
  },
};

/** In a script, a settings file or code in another language. */
function isMentioned({ files, manifest }: ScannedBuild, { name, registry }: Dependency): boolean {
  if (name.startsWith('@types/')) return true;
  const word = registry === 'pip' ? name.split('-')[0]! : name;
  if (Object.values(manifest.scripts ?? {}).some((script) => script.includes(word))) return true;
  let searched = 0;
  return files.some(({ path, text }) => {
    if (text === undefined || text.length > MAX_SEARCHED_FILE || searched > MAX_SEARCHED)
      return false;
    if (
      path === MANIFEST_FILE ||
      /(?:^|\/)(?:package(?:-lock)?\.json|[\w.-]*lock[\w.-]*|requirements[\w.-]*\.txt|pyproject\.toml|[^/]*\.md)$/i.test(
        path,
      )
    )
      return false;
    searched += text.length;
    return text.includes(word);
  });
}
