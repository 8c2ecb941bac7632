/** README.md and INTEGRATION.md of a build that was an item. Pure. */
import type { ShadcnItem } from '../../format/shadcn/shadcn-item.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { integrationSkeleton } from '../init/skeletons.ts';

export interface GuideFacts {
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
