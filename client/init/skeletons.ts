/** README.md and INTEGRATION.md to start with: the fixed headings with the data of the manifest. */
import type { Manifest } from '../../format/build/manifest.ts';
import { INTEGRATION_HEADINGS } from '../../scan/rules/quality/guide.ts';
import {
  INTEGRATION_SENTENCES,
  README_SENTENCES,
} from '../../scan/rules/quality/skeleton-sentences.ts';

type Heading = (typeof INTEGRATION_HEADINGS)[number];

/** @param id `<owner>/<name>` */
export function readmeSkeleton(id: string, manifest: Manifest): string {
  const { name, description, kind, license } = manifest;
  const install = kind === 'foundation' ? `stackyard new ${id} my-app` : `stackyard add ${id}`;
  return `# ${name}

${description}

\`\`\`sh
${install}
\`\`\`

## What it does

${README_SENTENCES.about}
People read this page before they install the build; \`INTEGRATION.md\` describes the steps after that.

## Example

${README_SENTENCES.example}

## Licence

${license}
`;
}

/**
 * @param id `<owner>/<name>`
 * @param steps those that were found in the files
 * @param own texts of other sections
 */
export function integrationSkeleton(
  id: string,
  manifest: Manifest,
  steps = `1. ${INTEGRATION_SENTENCES.steps}`,
  own: Partial<Record<Heading, string>> = {},
): string {
  const sections = { ...sectionsOf(id, manifest, steps), ...own };
  const text = INTEGRATION_HEADINGS.map((heading) => `## ${heading}\n\n${sections[heading]}\n`);
  return `# Integrate ${id} ${manifest.version}

Each step can be repeated: if the lines of a step are present, skip it.

${text.join('\n')}`;
}

function sectionsOf(id: string, manifest: Manifest, steps: string): Record<Heading, string> {
  const { stack, dependencies, devDependencies, env = {}, base } = manifest;
  const requires = Object.entries(stack?.requires ?? {});
  const packages = [dependencies, devDependencies].flatMap((table) => [
    ...Object.keys(table?.npm ?? {}),
    ...Object.keys(table?.pip ?? {}),
  ]);
  const variables = Object.entries(env);
  return {
    Preconditions:
      requires.length === 0
        ? 'None.'
        : table(
            ['The project has', 'Version'],
            requires.map(([tag, range]) => [code(tag), code(range)]),
          ),
    'What was installed': table(
      ['What', 'Where'],
      [
        ['Source', base === undefined ? 'the root of the project' : code(base)],
        ...(packages.length === 0 ? [] : [['Packages', packages.map(code).join(', ')]]),
        ...(variables.length === 0
          ? []
          : [['Environment variables', variables.map(([name]) => code(name)).join(', ')]]),
      ],
    ),
    Steps: steps,
    Configure:
      variables.length === 0
        ? 'Nothing.'
        : table(
            ['Name', 'Required', 'Example', 'How to choose'],
            variables.map(([name, { required, example = '', description = '' }]) => [
              code(name),
              required === true ? 'yes' : 'no',
              example === '' ? '' : code(example),
              description,
            ]),
          ),
    Verify: INTEGRATION_SENTENCES.verify,
    'Use it': INTEGRATION_SENTENCES.use,
    'If something fails': INTEGRATION_SENTENCES.failures,
    Undo: `Take the lines of the steps out, then run \`stackyard remove ${id}\`.`,
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', '')}\``;
}
