/** Dependencies that do not come from a registry: from an address, a git repository, a folder, or under another name. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../../format/finding/catalogue.ts';
import { hostOf, isLocal } from '../../taint/address.ts';
import { isDistributor, isPublisher } from '../../taint/known-hosts.ts';
import { findingIn, type Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { isTestOrExamplePath } from '../../text/file-kind.ts';
import { dependenciesOf } from '../../package/dependencies.ts';
import { popularNames } from '../../package/popular-names.ts';
import { once } from '../../once.ts';
import { quote } from '../../text/quote.ts';

export const dependencySource: Rule = {
  name: 'dependency-source',
  run: (build) => [
    ...build.files
      .filter(({ path }) => !isTestOrExamplePath(path))
      .flatMap((file) => [...foreignArchives(build, file), ...foreignRegistries(build, file)]),
    ...dependenciesOf(build).flatMap(({ name, range, use, file, start, registry }): Finding[] => {
      const verdict = verdictOn(range, name, registry === 'npm');
      if (verdict === undefined) return [];
      const level = use === 'dev' && verdict.level === 'warn' ? 'info' : verdict.level;
      const args = {
        name: quote(name === '' ? range : name),
        source: quote(range),
        what: verdict.what,
      };
      return [findingIn(file, verdict.code, args, start, Math.max(1, name.length), level)];
    }),
  ],
};

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|(?:uv|pdm|poetry)\.lock)$/;
const ARCHIVE = /\bhttps?:\/\/[^\s"'#,}]{3,400}\.(?:tgz|tar\.gz|whl|zip)\b/g;
/** More packages from one host are a mirror that some of the authors use. */
const MAX_FOREIGN = 3;
const MAX_HOSTS = 20;

/** Archives of a lock file that come from another host than the rest, or than the registry in use. */
function foreignArchives(build: ScannedBuild, file: ScannedFile): Finding[] {
  const { text = '', path } = file;
  if (!LOCK_FILE.test(path) || !text.includes('://')) return [];
  const byHost = new Map<string, { url: string; at: number }[]>();
  for (const { 0: url, index } of text.matchAll(ARCHIVE)) {
    const host = hostOf(url) ?? '';
    byHost.set(host, [...(byHost.get(host) ?? []).slice(-MAX_FOREIGN), { url, at: index }]);
  }
  if (byHost.size === 0) return [];
  // What has a digest and no address comes from the registry in use.
  const all = Math.max(text.match(/\bintegrity\b/g)?.length ?? 0, text.match(ARCHIVE)!.length);
  const known = build.files.flatMap(registriesOf).map(({ host }) => host);
  const manifests = build.files.filter((one) => /package\.json$|\.toml$/.test(one.path));
  return [...byHost].slice(0, MAX_HOSTS).flatMap(([host, found]) => {
    const isKnown = isDistributor(host) || isPublisher(host) || isLocal(host);
    const isMany = found.length > MAX_FOREIGN || (found.length > 1 && 2 * found.length > all);
    if (isKnown || isMany || known.includes(host)) return [];
    return found
      .filter(({ url }) => {
        const scope = /\/@[^/]+\//.exec(url)?.[0];
        const isOfScope = scope !== undefined && text.split(scope).length - 1 <= 2 * found.length;
        return !isOfScope && !manifests.some((one) => one.text?.includes(url) === true);
      })
      .map(({ url, at: start }) => {
        const name = quote(url.slice(url.lastIndexOf('/') + 1));
        const args = {
          name,
          source: quote(url),
          what: 'another host than the rest of its lock file',
        };
        const length = Math.min(url.length, 200);
        return findingIn(file, 'dependency-source-address', args, start, length);
      });
  });
}

const REGISTRY_FILE =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.(?:conf|ini)|\.?bunfig\.toml|uv\.toml|pyproject\.toml|Pipfile|requirements[\w.-]{0,40}\.txt)$/;
const REGISTRIES: readonly RegExp[] = [
  /^[ \t]*(?:--)?(?:registry|npmRegistryServer|(?:extra[-_])?index[-_]url|default-index|index)["']?[ \t]{0,20}[ =:][ \t]{0,20}["']?(https?:\/\/[^\s"']{3,300})/gim,
  /\[\[(?:tool\.(?:uv\.index|poetry\.source|pdm\.source)|source|index)\]\][^[]{0,300}?\burl\s*=\s*["'](https?:\/\/[^\s"']{3,300})/g,
];

/** The registries that settings of package managers name for all packages. */
function registriesOf({
  path,
  text = '',
}: ScannedFile): { url: string; host: string; at: number }[] {
  if (!REGISTRY_FILE.test(path)) return [];
  return REGISTRIES.flatMap((pattern) =>
    Array.from(
      [...text.matchAll(pattern)].slice(0, MAX_HOSTS),
      ({ 0: line, 1: url = '', index }) => ({
        url,
        host: hostOf(url) ?? '',
        at: index + line.indexOf(url),
      }),
    ),
  );
}

/** Words in the names of registries that say nothing of their owner. */
const NO_OWNER =
  /^(?:www|npm|pypi|registry|mirrors?|proxy|cache|packages?|repo(?:sitory)?|artifact(?:ory|s)?|nexus|index|simple|cdn|com|org|net|io|dev|internal|private|public)$/;

/** What names the owner of a build. */
const aboutOf = once(({ id, manifest, files }: ScannedBuild): string => {
  const named = files.filter(({ path }) =>
    /(?:^|\/)(?:package\.json|pyproject\.toml|readme[^/]*|license[^/]*)$/i.test(path),
  );
  const texts = named.slice(0, 50).map(({ text = '' }) => text.slice(0, 20_000));
  return [id, JSON.stringify(manifest), ...texts].join(' ').toLowerCase();
});

/** Registries for all packages whose owner nothing else of the build names. */
function foreignRegistries(build: ScannedBuild, file: ScannedFile): Finding[] {
  return registriesOf(file).flatMap(({ url, host, at: start }) => {
    if (host === '' || isDistributor(host) || isPublisher(host) || isLocal(host)) return [];
    const words = host.split(/[.-]/).filter((word) => word.length > 3 && !NO_OWNER.test(word));
    const about = aboutOf(build).replaceAll(host, '');
    if (words.some((word) => about.includes(word))) return [];
    const args = {
      name: '*',
      source: quote(url),
      what: 'a registry whose owner nothing else here names',
    };
    return [findingIn(file, 'dependency-source-address', args, start, url.length)];
  });
}

interface Verdict {
  readonly code: FindingCode;
  readonly level: FindingLevel;
  readonly what: string;
}

function verdictOn(range: string, name: string, isNpm: boolean): Verdict | undefined {
  const source = range.trim();
  const isPlain = /^http:/i.test(source);
  if (isPlain || (/^https:/i.test(source) && !GIT.test(source))) {
    const what = isPlain ? 'an address without encryption' : 'an address';
    return { code: 'dependency-source-address', level: 'warn', what };
  }
  if (GIT.test(source) || (isNpm && /^[\w.-]+\/[\w.-]+(?:#.{0,200})?$/.test(source))) {
    const isFixed = /[#@][0-9a-f]{40}\b/i.test(source);
    const what = isFixed ? 'a git commit' : 'a git repository that can change';
    return { code: 'dependency-source-git', level: 'info', what };
  }
  if (/^(?:file|link|portal):/i.test(source) || (isNpm && /^(?:\.{1,2}|~)?\//.test(source)))
    return { code: 'dependency-source-folder', level: 'info', what: 'a folder' };
  const alias = /^npm:((?:@[^@/]+\/)?[^@/]+)/i.exec(source)?.[1];
  if (alias === undefined || alias === name) return undefined;
  // An alias of a known package selects a version; an unknown package may hide behind a known name.
  const popular = popularNames('npm');
  const level = isNpm && popular.has(name) && !popular.has(alias) ? 'warn' : 'info';
  return { code: 'dependency-source-alias', level, what: 'another package' };
}

const GIT =
  /^(?:git|hg|svn|bzr)(?:\+[a-z]+)?:|^git@|^(?:github|gitlab|bitbucket|gist):|\.git(?:#|$)/i;
