/**
 * Reads the stack of a visitor's project from a file or a pasted text, which never leaves the browser, and compares builds with it.
 * It brings parsers along, so it is loaded when a visitor has such a file. The text may be anything.
 */
import { TomlError, parse } from 'smol-toml';
import { field } from '../../../../format/document/canonical-json.ts';
import {
  DEPENDENCY_TABLES,
  distributionFacts,
  isIn,
  packageJsonFacts,
  lowestPipVersion,
  readRequirements,
  type StackFact,
} from '../../../../format/project/requirement.ts';
import { pyprojectProblem, pyprojectStack } from '../../../../format/project/pyproject.ts';
import type { BuildSummary } from '../../../../format/index/record.ts';

/** No manifest of a project is larger. */
const MAX_PROJECT_BYTES = 1_000_000;

export type ProjectFacts = ReadonlyMap<string, StackFact>;

/** How a build fits: `needs` are tags with ranges that the project does not meet, `unsure` those whose version it does not tell. */
interface BuildFit {
  readonly needs: readonly string[];
  readonly unsure: readonly string[];
}

/** What cannot be read, as a sentence for the visitor. */
export class ProjectFileError extends Error {}

/** The text of a file. @throws {ProjectFileError} */
export function decodeProject(name: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_PROJECT_BYTES) {
    throw new ProjectFileError(
      `"${name}" is larger than 1 MB: choose package.json, pyproject.toml or requirements.txt`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProjectFileError(`"${name}" is not a text in UTF-8`);
  }
}

/**
 * The stack that a text declares.
 * @param name that of the file; of a pasted text `undefined`: its form decides what it is
 * @throws {ProjectFileError}
 */
export function readProject(name: string | undefined, text: string): ProjectFacts {
  const body = text.replace(/^\uFEFF/, '');
  if (body.length > MAX_PROJECT_BYTES) throw new ProjectFileError('The text is longer than 1 MB');
  const kind = kindOf(name, body);
  const facts =
    kind === 'package.json'
      ? npmProject(body)
      : kind === 'pyproject.toml'
        ? pythonProject(body)
        : withRuntime('python', undefined, distributionFacts(readRequirements(body), kind));
  const isEmpty =
    facts.size === 1 && [...facts.values()].every((fact) => fact.version === undefined);
  if (isEmpty) throw new ProjectFileError(`Cannot find a package in this text, read as ${kind}`);
  return facts;
}

/** Whether the latest version of a build fits, by what it requires itself. */
export function fitOf(facts: ProjectFacts, { requires, provides }: BuildSummary): BuildFit {
  const open = Object.entries(requires).filter(
    ([tag, range]) => !provides.includes(tag) && !isIn(facts, tag, range),
  );
  const isUnsure = ([tag]: [string, string]): boolean =>
    facts.has(tag) && facts.get(tag)?.version === undefined;
  const words = (tags: [string, string][]): string[] =>
    tags.map(([tag, range]) => (range === '*' ? tag : `${tag} ${range}`)).sort();
  return {
    needs: words(open.filter((one) => !isUnsure(one))),
    unsure: words(open.filter(isUnsure)),
  };
}

function kindOf(name: string | undefined, body: string): string {
  if (name?.endsWith('.json') === true || /^\s*[{[]\s*(?:["}\]]|$)/.test(body))
    return 'package.json';
  const hasTable = /^\s*\[{1,2}\s*(?:project|tool|build-system|dependency-groups)\b/m.test(body);
  return name?.endsWith('.toml') === true || hasTable ? 'pyproject.toml' : 'requirements.txt';
}

function npmProject(body: string): ProjectFacts {
  let manifest: unknown;
  try {
    manifest = JSON.parse(body);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new ProjectFileError(`Cannot read it as package.json: ${reason}`);
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw new ProjectFileError('Cannot read it as package.json: it is not an object');
  }
  for (const table of DEPENDENCY_TABLES) {
    const value = field(manifest, table) ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw new ProjectFileError(`Cannot read it as package.json: "${table}" is not an object`);
    }
  }
  const facts = packageJsonFacts(manifest);
  return withRuntime('node', facts.get('node')?.version, facts);
}

function pythonProject(body: string): ProjectFacts {
  try {
    const root = parse(body, { integersAsBigInt: true });
    const problem = pyprojectProblem(root);
    if (problem !== undefined) throw new ProjectFileError(`Cannot read pyproject.toml: ${problem}`);
    const { distributions, requiresPython } = pyprojectStack(root);
    const python = requiresPython === undefined ? undefined : lowestPipVersion(requiresPython);
    return withRuntime('python', python, distributionFacts(distributions, 'pyproject.toml'));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new ProjectFileError(`Cannot read pyproject.toml, line ${error.line}: ${reason}`);
  }
}

/** A file of a project shows which runtime it has, also where it does not tell the version. */
function withRuntime(
  tag: string,
  version: string | undefined,
  facts: ProjectFacts,
): Map<string, StackFact> {
  return new Map([...facts, [tag, { version, source: tag }]]);
}
