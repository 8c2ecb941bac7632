/** Dependencies that do not come from a registry: from an address, a git repository, a folder, or under another name. */
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../../format/finding/catalogue.ts';
import type { Rule } from '../../rule.ts';
import { dependenciesOf } from '../../package/dependencies.ts';
import { popularNames } from '../../package/near-name.ts';
import { quote } from '../../text/quote.ts';

export const dependencySource: Rule = {
  name: 'dependency-source',
  run: (build) =>
    dependenciesOf(build).flatMap(({ name, range, use, file, start, registry }): Finding[] => {
      const verdict = verdictOn(range, name, registry === 'npm');
      if (verdict === undefined) return [];
      const level = use === 'dev' && verdict.level === 'warn' ? 'info' : verdict.level;
      const args = {
        name: quote(name === '' ? range : name),
        source: quote(range),
        what: verdict.what,
      };
      return [
        at(
          finding(verdict.code, file.path, args, level),
          file.place(start, Math.max(1, name.length)),
        ),
      ];
    }),
};

function verdictOn(
  range: string,
  name: string,
  isNpm: boolean,
): { code: FindingCode; level: FindingLevel; what: string } | undefined {
  const source = range.trim();
  if (/^http:\/\//i.test(source))
    return {
      code: 'dependency-source-address',
      level: 'warn',
      what: 'an address without encryption',
    };
  if (
    /^(?:git|hg|svn|bzr)(?:\+[a-z]+)?:|^git@|^(?:github|gitlab|bitbucket|gist):|\.git(?:#|$)/i.test(
      source,
    )
  )
    return git(source);
  if (/^https:\/\//i.test(source))
    return { code: 'dependency-source-address', level: 'warn', what: 'an address' };
  if (isNpm && /^[\w.-]+\/[\w.-]+(?:#.{0,200})?$/.test(source)) return git(source);
  if (/^(?:file|link|portal):/i.test(source) || (isNpm && /^(?:\.{1,2}|~)?\//.test(source)))
    return { code: 'dependency-source-folder', level: 'info', what: 'a folder' };
  const alias = /^npm:((?:@[^@/]+\/)?[^@/]+)/i.exec(source)?.[1];
  if (alias === undefined || alias === name) return undefined;
  // An alias of a known package selects a version; an unknown package may hide behind a known name.
  return {
    code: 'dependency-source-alias',
    level:
      isNpm && popularNames('npm').has(name) && !popularNames('npm').has(alias) ? 'warn' : 'info',
    what: 'another package',
  };
}

function git(source: string): { code: FindingCode; level: FindingLevel; what: string } {
  const isFixed = /[#@][0-9a-f]{40}\b/i.test(source);
  return {
    code: 'dependency-source-git',
    level: 'info',
    what: isFixed ? 'a git commit' : 'a git repository that can change',
  };
}
