/** Packages that the code imports and no dependency declares: in a new project the import fails. */
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, type Rule } from '../../rule.ts';
import { dependenciesOf } from '../../package/dependencies.ts';
import { isDeclaredNpm, isDeclaredPip } from '../../package/declared.ts';
import { importsOf, npmPackageOf } from '../../package/imports.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { quote } from '../../text/quote.ts';

const MAX_FINDINGS = 20;

export const dependencyUndeclared: Rule = {
  name: 'dependency-undeclared',
  run: (build) => {
    const dependencies = dependenciesOf(build);
    const [isNpm, isPip] = [isDeclaredNpm(build, dependencies), isDeclaredPip(build, dependencies)];
    const reported = new Set<string>();
    return build.files.flatMap((file): Finding[] => {
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
  },
};
