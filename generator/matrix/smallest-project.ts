/** The smallest project that a module can be added to: its packages at exact versions, and settings for a compiler. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageRecord } from '../../format/index/record.ts';
import { isPython } from './axis.ts';
import type { Axis } from './axis.ts';

/** Path to text. @param versions of every tag */
export function smallestProject(
  record: Pick<PackageRecord, 'files' | 'manifest'>,
  axes: readonly Axis[],
  versions: Readonly<Record<string, string>>,
): Record<string, string> {
  if (isPython(record)) {
    const pins = axes.filter(({ kind }) => kind === 'pip');
    const lines = pins.map(({ tag }) => `${tag}==${versions[tag]}\n`);
    return { 'requirements.txt': lines.join('') };
  }
  const pins = axes
    .filter(({ kind }) => kind === 'npm')
    .map(({ tag }) => [tag, versions[tag]!] as const);
  const isTool = ([tag]: readonly [string, string]): boolean =>
    tag === 'typescript' || tag.startsWith('@types/');
  const manifest = {
    name: 'measured-project',
    version: '0.0.0',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(pins.filter((one) => !isTool(one))),
    devDependencies: Object.fromEntries(pins.filter(isTool)),
  };
  const files = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` };
  if (!record.files.some(({ path }) => /\.[cm]?tsx?$/.test(path))) return files;
  return {
    ...files,
    'tsconfig.json': `${JSON.stringify(tsconfig(record.manifest.base), null, 2)}\n`,
  };
}

/** The folder of the sources: that of the project, or the first of the place of the build. */
export function sourceRoot(base: string | undefined): string {
  const [first = ''] = (base ?? '').split('/');
  return first === '' ? '.' : first;
}

/** Writes files below `project`. */
export function writeProject(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

/** The ranges in `package.json` that are no exact version: what builds have added. */
export function openRanges(project: string): { readonly name: string; readonly range: string }[] {
  return ['dependencies', 'devDependencies'].flatMap((field) => {
    const ranges = readManifest(project)[field] ?? {};
    return Object.entries(ranges)
      .filter(([, range]) => !/^\d+\.\d+\.\d+/.test(range))
      .map(([name, range]) => ({ name, range }));
  });
}

/** Puts exact versions in place of ranges. */
export function pinRanges(project: string, versions: Readonly<Record<string, string>>): void {
  const manifest = readManifest(project);
  for (const field of ['dependencies', 'devDependencies']) {
    const ranges = manifest[field] ?? {};
    for (const name of Object.keys(ranges)) {
      if (versions[name] !== undefined) ranges[name] = versions[name];
    }
  }
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Compilers since 6.0 take no types that are not named. */
export function nameTypes(project: string): void {
  const file = join(project, 'tsconfig.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as {
    compilerOptions: Record<string, unknown>;
  };
  const { dependencies = {}, devDependencies = {} } = readManifest(project);
  const hasNode = Object.hasOwn({ ...dependencies, ...devDependencies }, '@types/node');
  settings.compilerOptions['types'] = hasNode ? ['node'] : [];
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}

function tsconfig(base: string | undefined): object {
  const root = sourceRoot(base);
  return {
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2022',
      strict: true,
      esModuleInterop: true,
      skipLibCheck: true,
      rootDir: root,
      outDir: 'dist',
    },
    include: [root],
    exclude: ['node_modules', 'dist'],
  };
}

function readManifest(project: string): Record<string, Record<string, string> | undefined> {
  const text = readFileSync(join(project, 'package.json'), 'utf8');
  return JSON.parse(text) as Record<string, Record<string, string> | undefined>;
}
