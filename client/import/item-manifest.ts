/** The manifest of a build that was an item. Pure. */
import type { Manifest } from '../../format/build/manifest.ts';
import type { ShadcnItem } from '../../format/shadcn-item.ts';
import { isRange } from '../../format/version/semver-range.ts';
import { integrationSkeleton } from '../init/skeletons.ts';

interface ManifestFacts {
  readonly name: string;
  readonly item: ShadcnItem;
  readonly license: string;
  readonly base: string;
  /** Ids of the builds that it requires. */
  readonly requires: readonly string[];
  /** Files of the folder of the build that are not installed. */
  readonly leftOut: readonly string[];
  /** Of the registry. */
  readonly homepage: string | undefined;
  /** Packages that its code imports. */
  readonly imported: readonly string[];
}

const MAX_DESCRIPTION = 300;
const MAX_KEYWORDS = 20;
const ADDRESS = /^https?:\/\/\S{1,1000}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const FIRST_VERSION = '1.0.0';
/** Packages that a project has, or that the build is not for. */
const FRAMEWORKS = ['react', 'next', 'vue', 'svelte', 'astro', 'solid-js'];

/** Returns the manifest, and what of the item it cannot hold. */
export function itemManifest(facts: ManifestFacts): { manifest: Manifest; lost: string[] } {
  const { name, item, license, base, requires, leftOut, homepage, imported } = facts;
  const run = itemPackages(item.dependencies);
  const development = itemPackages(item.devDependencies);
  const variables = Object.entries(item.envVars ?? {});
  const frameworks = FRAMEWORKS.filter((one) => {
    const isUsed = imported.some((text) => text === one || text.startsWith(`${one}/`));
    return isUsed && run.packages[one] === undefined;
  });
  const manifest: Manifest = {
    name,
    version: FIRST_VERSION,
    kind: 'module',
    description: descriptionOf(item),
    license,
    ...some('keywords', [...new Set(item.categories ?? [])].slice(0, MAX_KEYWORDS)),
    ...some('stack', frameworks.length === 0 ? {} : { requires: anyVersion(frameworks) }),
    ...some('dependencies', some('npm', run.packages)),
    ...some('devDependencies', some('npm', development.packages)),
    ...some('builds', Object.fromEntries(requires.map((id) => [id, `^${FIRST_VERSION}`]))),
    files: ['**', ...leftOut.map((path) => `!${path}`)],
    ...(base === '' ? {} : { base }),
    ...some(
      'env',
      Object.fromEntries(
        variables
          .filter(([variable]) => VARIABLE.test(variable))
          .map(([variable, example]) => [variable, example === '' ? {} : { example }]),
      ),
    ),
    ...(homepage === undefined || !ADDRESS.test(homepage) || !URL.canParse(homepage)
      ? {}
      : { homepage }),
  };
  const unread = [...run.unread, ...development.unread];
  const lost = [
    ...unread.map((text) => `package "${text}" is no package of npm with a range`),
    ...variables
      .filter(([variable]) => !VARIABLE.test(variable))
      .map(([variable]) => `variable "${variable}" has no valid name`),
  ];
  return { manifest, lost };
}

function descriptionOf({ description, title, name }: ShadcnItem): string {
  const text = [description, title, name].find((one) => one !== undefined && one.trim() !== '');
  const characters = Array.from((text ?? '').replaceAll(/\s+/g, ' ').trim());
  return characters.length <= MAX_DESCRIPTION
    ? characters.join('')
    : `${characters.slice(0, MAX_DESCRIPTION - 1).join('')}…`;
}

function anyVersion(tags: readonly string[]): Record<string, string> {
  return Object.fromEntries(tags.map((tag) => [tag, '*']));
}

/** A field with its value unless that is empty. */
function some<Name extends string, Value extends object>(
  name: Name,
  value: Value,
): Partial<Record<Name, Value>> {
  return Object.keys(value).length === 0 ? {} : ({ [name]: value } as Record<Name, Value>);
}

/** The packages of an item as fields of a manifest: `zod@^3.20.0` is `{ zod: "^3.20.0" }`. Pure. */
interface ItemPackages {
  readonly packages: Readonly<Record<string, string>>;
  /** Specifications that are no range, or name no package of npm. */
  readonly unread: readonly string[];
}

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;

export function itemPackages(specifications: readonly string[] = []): ItemPackages {
  const packages = new Map<string, string>();
  const unread: string[] = [];
  for (const text of specifications) {
    const at = text.indexOf('@', 1);
    const name = (at < 0 ? text : text.slice(0, at)).trim();
    const range = at < 0 ? '*' : text.slice(at + 1).trim();
    if (!NAME.test(name)) unread.push(text);
    else if (range === 'latest' || range === '') packages.set(name, '*');
    else if (isRange(range)) packages.set(name, range);
    else {
      unread.push(text);
      packages.set(name, '*');
    }
  }
  return { packages: Object.fromEntries(packages), unread };
}

/** README.md and INTEGRATION.md of a build that was an item. Pure. */
interface GuideFacts {
  readonly id: string;
  readonly manifest: Manifest;
  readonly item: ShadcnItem;
  /** Of the registry; `undefined` for a folder. */
  readonly address: string | undefined;
  /** The place of the style sheet in the project. */
  readonly styleSheet: string | undefined;
  /** Items of other registries, as they are written. */
  readonly foreign: readonly string[];
  /** Names of modules that the project has to have. */
  readonly unresolved: readonly string[];
}

/** Nothing that a shell reads as more than a word, or a program as an option. */
const PLAIN_REFERENCE = /^[@A-Za-z0-9][\w@./:-]*$/;

export function itemReadme({ id, manifest, item, address }: GuideFacts): string {
  const docs = item.docs === undefined || item.docs.trim() === '' ? '' : `\n${plain(item.docs)}\n`;
  return `# ${manifest.name}

${manifest.description}

\`\`\`sh
stackyard add ${id}
\`\`\`

## What it does

${plain(item.title ?? item.name)}${item.author === undefined ? '' : `, by ${plain(item.author)}`}: the item \`${code(item.name)}\` of type \`${code(item.type)}\`, imported from a registry
for shadcn${address === undefined ? '' : ` (\`${code(address)}\`)`}.
${docs}
## Licence

${manifest.license}
`;
}

export function itemIntegration(facts: GuideFacts): string {
  const { id, manifest } = facts;
  const steps = stepsOf(facts);
  return integrationSkeleton(
    id,
    manifest,
    steps.length === 0
      ? 'None.'
      : steps.map((step, at) => `${at + 1}. ${step.replaceAll('\n', '\n   ')}`).join('\n'),
    {
      Verify: 'Run the type check and the build of the project: both pass as before.',
      'Use it': `Import the files below \`${manifest.base ?? '.'}\`.`,
      'If something fails':
        'A module that is not found is one that the project has to have: see the steps.',
    },
  );
}

function stepsOf({ item, styleSheet, foreign, unresolved }: GuideFacts): string[] {
  const steps: string[] = [];
  for (const reference of foreign) {
    const command = PLAIN_REFERENCE.test(reference) ? `: \`npx shadcn add ${reference}\`` : '';
    steps.push(`Add \`${code(reference)}\` of another registry${command}.`);
  }
  if (unresolved.length > 0) {
    const list = unresolved.map((name) => `\`${code(name)}\``).join(', ');
    steps.push(
      `Make sure that the project has ${list}: code of this build imports it, and no build brings it.`,
    );
  }
  if (styleSheet !== undefined) {
    steps.push(
      `Import \`${code(styleSheet)}\` in the style sheet that imports Tailwind CSS, after that import. Take out variables that the project shall keep its own values of.`,
    );
  }
  if (item.tailwind !== undefined) {
    const text = JSON.stringify(item.tailwind, null, 2);
    steps.push(`With Tailwind CSS 3, merge this into its configuration:\n\n${fence(text, 'json')}`);
  }
  if (item.font !== undefined) {
    const text = JSON.stringify(item.font, null, 2);
    steps.push(`Load this font as the framework of the project does:\n\n${fence(text, 'json')}`);
  }
  return steps;
}

/** Text of a stranger as text: no headings, and no code that a client would carry out. */
function plain(text: string): string {
  return text.replaceAll(/^(\s*)(#|`{3,}|~{3,})/gm, '$1\\$2').trim();
}

function code(text: string): string {
  return text.replaceAll(/[`\r\n]+/g, ' ');
}

function fence(text: string, language: string): string {
  return `\`\`\`${language}\n${text.replaceAll('```', "'''")}\n\`\`\``;
}
