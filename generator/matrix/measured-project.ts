/** The project that a build is measured in: the smallest one that a user could have, with exact versions. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageRecord } from '../../format/index/record.ts';
import { majorOf } from '../../format/version/tag-version.ts';
import { isPython, type Axis } from './combinations.ts';

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
  // Types that every project with React has.
  const react = isOfPages(record) ? versions['react'] : undefined;
  const types = react === undefined ? {} : { '@types/react': `^${majorOf(react)}.0.0` };
  const manifest = {
    name: 'measured-project',
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: { typecheck: 'tsc --noEmit', build: 'tsc' },
    dependencies: Object.fromEntries(pins.filter((one) => !isTool(one))),
    devDependencies: { ...types, ...Object.fromEntries(pins.filter(isTool)) },
  };
  const files = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` };
  if (!record.files.some(({ path }) => /\.[cm]?tsx?$/.test(path))) return files;
  const root = sourceRoot(record.manifest.base);
  return {
    ...files,
    'tsconfig.json': `${JSON.stringify(tsconfig(root, isOfPages(record)), null, 2)}\n`,
    ...(isOfPages(record) ? { [join(root, 'styles.d.ts')]: "declare module '*.css';\n" } : {}),
    // What foundations have: guides add the module of their build to it.
    ...(root === 'src' ? { 'src/modules.ts': 'export const modules: object[] = [];\n' } : {}),
  };
}

/** Whether a bundler loads it, and not Node.js. */
export function isOfPages({ files, manifest }: Pick<PackageRecord, 'files' | 'manifest'>): boolean {
  const isOfNext = manifest.stack?.requires?.['next'] !== undefined;
  return isOfNext || files.some(({ path }) => path.endsWith('.tsx'));
}

/** Packages of the project itself that have the names of the tags. */
export function declareTags(project: string, tags: readonly string[]): void {
  if (tags.length === 0 || !existsSync(join(project, 'package.json'))) return;
  const manifest = readManifest(project);
  const own = Object.fromEntries(tags.map((tag) => [tag, `file:own/${tag}`]));
  manifest['dependencies'] = { ...manifest['dependencies'], ...own };
  const files = tags.map(
    (name) => [`own/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' })] as const,
  );
  writeProject(project, {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    ...Object.fromEntries(files),
  });
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

/** The ranges in `package.json` that are not exact version: what builds have added. */
export function openRanges(project: string): { readonly name: string; readonly range: string }[] {
  return ['dependencies', 'devDependencies'].flatMap((field) => {
    const ranges = readManifest(project)[field] ?? {};
    return Object.entries(ranges)
      .filter(([, range]) => !/^\d+\.\d+\.\d+|^file:/.test(range))
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

function tsconfig(root: string, isOfPages: boolean): object {
  const pages = { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' };
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
      ...(isOfPages ? { ...pages, lib: ['es2022', 'dom', 'dom.iterable'] } : {}),
    },
    include: [root],
    exclude: ['node_modules', 'dist'],
  };
}

function readManifest(project: string): Record<string, Record<string, string> | undefined> {
  const text = readFileSync(join(project, 'package.json'), 'utf8');
  return JSON.parse(text) as Record<string, Record<string, string> | undefined>;
}
