/** The stack tags that a build requires, and its packages without the frameworks among them. */
import { lowestPipVersion } from '../../format/project/requirement.ts';
import { isRange } from '../../format/version/semver-range.ts';
import type { ScannedFile } from '../../scan/scanned-file.ts';
import { isTestPath } from '../../scan/text/file-kind.ts';
import {
  type guessPackages,
  isFramework,
  isTypeScript,
  type Packages,
  usesNode,
} from './guess-packages.ts';

/** A project is based on one of these; a build requires it and does not install it. */
const PIP_FRAMEWORKS = new Set('fastapi flask django starlette sanic litestar aiohttp'.split(' '));
/** Frameworks that need Node.js. */
const SERVERS = ['express', 'fastify', 'koa', '@nestjs/core'];

interface GuessedStack {
  readonly requires: Readonly<Record<string, string>>;
  /** The packages without the frameworks. */
  readonly packages: Packages;
}

/**
 * @param node `engines.node`
 * @param python `requires-python`
 * @param isWhole whether the build is a whole project, whose tools run on Node.js
 */
export function guessStack(
  files: readonly ScannedFile[],
  { runtime }: ReturnType<typeof guessPackages>,
  node: string | undefined,
  python: string | undefined,
  isWhole: boolean,
): GuessedStack {
  const requires: Record<string, string> = {};
  const packages: Packages = { npm: {}, pip: {} };
  for (const [name, range] of Object.entries(runtime.npm)) {
    (isFramework(name) ? requires : packages.npm)[name] = range;
  }
  for (const [name, specifier] of Object.entries(runtime.pip)) {
    if (PIP_FRAMEWORKS.has(name)) requires[name] = semverOf(specifier);
    else packages.pip[name] = specifier;
  }
  const isCode = (language: string): boolean => files.some((f) => f.syntax.language === language);
  if (files.some(isTypeScript)) requires['typescript'] = '*';
  const isOfNode =
    isWhole ||
    files.some((file) => usesNode(file) && !isTestPath(file.path)) ||
    SERVERS.some((name) => Object.hasOwn(requires, name));
  if (node !== undefined && isRange(node) && isCode('javascript') && isOfNode)
    requires['node'] = node;
  if (python !== undefined && isCode('python')) requires['python'] = semverOf(python);
  const ordered = Object.entries(requires).sort(([a], [b]) => (a < b ? -1 : 1));
  return { requires: Object.fromEntries(ordered), packages };
}

/** The lower bound of a PEP 440 specifier as a semver range. */
function semverOf(specifier: string): string {
  const lowest = lowestPipVersion(specifier);
  return lowest === '0.0.0' ? '*' : `>=${lowest}`;
}
