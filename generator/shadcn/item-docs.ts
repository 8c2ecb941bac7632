/** The text that the CLI of shadcn prints after it installed an item: what it did not do, and the guide of the build. */
import type { VersionFacts } from '../../examine/version-facts.ts';

interface DocsParts {
  readonly id: string;
  readonly address: string;
  readonly elsewhere: Readonly<Record<string, string>>;
  /** Files without content, by their places in the project. */
  readonly empty: readonly string[];
}

export function itemDocs({ manifest, integration }: VersionFacts, parts: DocsParts): string {
  const { id, address, elsewhere, empty } = parts;
  const pip = { ...manifest.dependencies?.pip, ...manifest.devDependencies?.pip };
  const variables = Object.entries(manifest.env ?? {}).map(([name, variable]) => {
    const { description, required } = variable;
    const text = description === undefined ? '' : `: ${description}`;
    return `${name}${required === true ? ' (required)' : ''}${text}`;
  });
  const sections = [
    section('Needed in the project', pairs(manifest.stack?.requires)),
    section('Needed builds of other registries', pairs(elsewhere)),
    section('Python packages to install', pairs(pip)),
    section('Scripts for package.json', pairs(manifest.scripts, ': ')),
    section('Environment variables', variables),
    section('Empty files to create', empty),
  ].join('');
  return `${id} ${manifest.version}, licence ${manifest.license}, from ${address}
${sections}
${integration}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

function pairs(map: Readonly<Record<string, string>> = {}, between = ' '): string[] {
  return Object.entries(map).map(([name, value]) => `${name}${between}${value}`);
}
