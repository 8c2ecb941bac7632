/** The licences of the packages that are inside a bundle: most of them must go with every copy. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/**
 * One text with the licences of all packages among `modules`, sorted by name.
 * @throws {Error} for a package that states no licence
 */
export function licenceTexts(root: string, modules: readonly string[]): string {
  const folders = new Map<string, string>();
  for (const module of modules) {
    const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(module) ?? [];
    if (folder !== undefined && name !== undefined) folders.set(folder, name);
  }
  const packages = [...folders].map(([folder, name]) => ({ name, ...readPackage(folder) }));
  packages.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
  const texts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`,
  );
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const head = `stackyard\n\n${own.trim()}\n\nThe program holds code of the packages below.\n`;
  return [head, ...texts].join(`\n${'-'.repeat(72)}\n\n`);
}

function readPackage(folder: string): { version: string; license: string; text: string } {
  const { version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { version: string; license?: string; author?: string | { name: string } };
  if (license === undefined) throw new Error(`There is no licence in ${folder}`);
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort();
  const by = typeof author === 'object' ? author.name : (author ?? 'its authors');
  const text =
    files.length === 0
      ? `By ${by}, under ${license}: the package has no file with the text.`
      : files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { version, license, text };
}
