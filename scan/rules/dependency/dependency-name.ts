/** Dependencies, and packages, with a name that people mistake for a popular one. */
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, type Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { dependenciesOf } from '../../package/dependencies.ts';
import { normalPipName, type NearName } from '../../package/near-name.ts';
import { popularNames, type Registry } from '../../package/popular-names.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { findString, readJsonObject } from '../../text/json-text.ts';
import { quote } from '../../text/quote.ts';

export const dependencyName: Rule = {
  name: 'dependency-name',
  run: (build) => [...dependencyFindings(build), ...ownNames(build)],
};

function dependencyFindings(build: ScannedBuild): Finding[] {
  const reported = new Set<string>();
  return dependenciesOf(build).flatMap(({ registry, name, range, use, file, start }) => {
    const near = popularNames(registry).near(name);
    // `"webpack4": "npm:webpack@4"` is an alias: no package of that name is installed.
    if (near === undefined || range.startsWith('npm:') || reported.has(`${registry} ${name}`))
      return [];
    reported.add(`${registry} ${name}`);
    // A development tool matters when users of the build install it, or when the difference is a typing error.
    const isSlip = near.slip === 'one letter differs' && name[0] === near.name[0];
    const isOthersTool = use === 'dev' && (!isSlip || file.path !== MANIFEST_FILE);
    const level = isOthersTool ? 'info' : 'warn';
    const args = argsOf(name, near);
    return [findingIn(file, 'dependency-name', args, start, name.length, level)];
  });
}

function argsOf(name: string, near: NearName): Record<string, string> {
  return { name: quote(name), popular: near.name, slip: near.slip };
}

/** What parts of projects are called. */
const PARTS =
  /^(?:servers?|clients?|backend|frontend|worker|common|shared|website|example|examples)$/;

/** The name by which the build's own package would be installed. */
function ownNames({ files }: ScannedBuild): Finding[] {
  return files.flatMap((file) => {
    const own = ownName(file);
    const near = own === undefined ? undefined : popularNames(own.registry).near(own.name);
    if (own === undefined || near === undefined) return [];
    const args = argsOf(own.name, near);
    const level = PARTS.test(own.name) ? 'info' : undefined;
    return [findingIn(file, 'dependency-name-own', args, own.start, own.name.length, level)];
  });
}

const QUOTED_NAME = /(?:^|[\s(,])name\s{0,3}=\s{0,3}["']{1,3}([A-Za-z0-9][\w.-]{0,80})["']/;
const PLAIN_NAME = /^[ \t]{0,8}name\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9][\w.-]{0,80})/im;

function ownName(
  file: ScannedFile,
): { registry: Registry; name: string; start: number } | undefined {
  const { path, text = '' } = file;
  if (isTestPath(path)) return undefined;
  if (path === 'package.json') {
    const { name, private: isPrivate } = readJsonObject(text) ?? {};
    // No registry takes a private package, so nobody installs it by mistake.
    return typeof name === 'string' && isPrivate !== true
      ? { registry: 'npm', name, start: findString(text, 'name', name) }
      : undefined;
  }
  const isPython =
    path === 'setup.py' || path === 'setup.cfg' || path === 'pyproject.toml' || path === 'PKG-INFO';
  const match = isPython ? (path === 'setup.py' ? QUOTED_NAME : PLAIN_NAME).exec(text) : null;
  return match === null
    ? undefined
    : {
        registry: 'pip',
        name: normalPipName(match[1]!),
        start: match.index + match[0].indexOf(match[1]!, match[0].search(/[:=]/)),
      };
}
