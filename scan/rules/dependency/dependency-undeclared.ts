/** Imports that fail in a new project: packages that no dependency declares, and files of required builds by an alias. */
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, type Rule } from '../../rule.ts';
import { dependenciesOf } from '../../package/dependencies.ts';
import { isDeclaredNpm, isDeclaredPip } from '../../package/declared.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { importsOf, npmPackageOf } from '../../package/imports.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { quote } from '../../text/quote.ts';

const MAX_FINDINGS = 20;
/** What settings of a project, which another one does not have, resolve to a folder. */
const ALIAS = /^(?:@@?|~~?|#[\w-]*|\$lib)\//;

export const dependencyUndeclared: Rule = {
  name: 'dependency-undeclared',
  run: (build) => {
    const dependencies = dependenciesOf(build);
    const [isNpm, isPip] = [isDeclaredNpm(build, dependencies), isDeclaredPip(build, dependencies)];
    const reported = new Set<string>();
    const found = build.files.flatMap((file): Finding[] => {
      if (isTestPath(file.path) || file.syntax.language === 'none' || reported.size >= MAX_FINDINGS)
        return [];
      const isPython = file.syntax.language === 'python';
      return importsOf(file).flatMap(({ specifier, start, isOptional }) => {
        const name = isPython ? specifier.split('.', 1)[0] : npmPackageOf(specifier);
        if (
          name === undefined ||
          isOptional ||
          reported.has(name) ||
          (isPython ? isPip(specifier) : isNpm(name))
        )
          return [];
        reported.add(name);
        const args = { name: quote(name), registry: isPython ? 'pip' : 'npm' };
        return [findingIn(file, 'dependency-undeclared', args, start, specifier.length)];
      });
    });
    return [...found, ...build.files.flatMap((file) => aliased(build, file))];
  },
};

/** A module comes without the settings of its project. A file of its own that fits is taken for the one that is meant. */
function aliased({ manifest, files }: ScannedBuild, file: ScannedFile): Finding[] {
  const isAlone = Object.keys(manifest.builds ?? {}).length === 0;
  if (manifest.kind !== 'module' || isAlone || file.syntax.language !== 'javascript') return [];
  const imports = importsOf(file).filter(({ specifier }) => {
    const rest = specifier.replace(ALIAS, '').replace(/\.\w+$/, '');
    return ALIAS.test(specifier) && !files.some(({ path }) => path.includes(rest));
  });
  return imports.slice(0, 1).map(({ specifier, start }) => {
    const args = { specifier: quote(specifier) };
    return findingIn(file, 'dependency-undeclared-alias', args, start, specifier.length);
  });
}
