/** What a foundation brings to a new project beside the tags that it states: its packages, at the lowest versions that its ranges permit. */
import { parse as parseToml, type TomlTable } from 'smol-toml';
import { isStackTag } from '../format/build/stack-tag.ts';
import {
  distributionFacts,
  packageJsonFacts,
  type StackFact,
} from '../format/project/declared-stack.ts';
import { pyprojectStack } from '../format/project/pyproject.ts';
import { readRequirements } from '../format/project/requirement.ts';
import type { Build } from './validate.ts';

/** Tags that are remembered of one build. */
const MAX_TAGS = 200;
/** Larger files are not read. */
const MAX_BYTES = 1_000_000;

/** Tag to version, sorted by tag; `undefined` for a module, and where nothing is declared. */
export function broughtStack({
  manifest,
  files,
  installed,
}: Pick<Build, 'manifest' | 'files' | 'installed'>): Readonly<Record<string, string>> | undefined {
  if (manifest.kind !== 'foundation') return undefined;
  const textOf = (path: string): string | undefined => {
    const isPlaced = installed.includes(path);
    const file = isPlaced ? files.find((one) => one.path === path) : undefined;
    if (file === undefined || file.bytes.length > MAX_BYTES) return undefined;
    return new TextDecoder().decode(file.bytes);
  };
  const facts = [
    readFacts(textOf('package.json'), (text) => packageJsonFacts(JSON.parse(text))),
    readFacts(textOf('pyproject.toml'), (text) => {
      const { distributions } = pyprojectStack(parseToml(text) as TomlTable);
      return distributionFacts(distributions, 'pyproject.toml');
    }),
    readFacts(textOf('requirements.txt'), (text) => {
      return distributionFacts(readRequirements(text), 'requirements.txt');
    }),
  ];
  const found = new Map<string, string>();
  for (const [tag, { version }] of facts.flatMap((all) => [...all])) {
    if (version === undefined || found.has(tag) || tag === 'node' || !isStackTag(tag)) continue;
    found.set(tag, version);
  }
  if (found.size === 0) return undefined;
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.slice(0, MAX_TAGS));
}

/** A file that no project could use brings nothing; checks report it. */
function readFacts(
  text: string | undefined,
  read: (text: string) => ReadonlyMap<string, StackFact>,
): ReadonlyMap<string, StackFact> {
  if (text === undefined) return new Map();
  try {
    return read(text);
  } catch {
    return new Map();
  }
}
