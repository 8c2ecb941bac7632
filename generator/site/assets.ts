/** The files that all pages load: style sheet, scripts, font, icon, pictures. Their names have the digest of their bytes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { assetPath } from '../../format/index/site-path.ts';
import { isPackaged, packagedFile } from '../packaged.ts';
import { browserModule } from './browser/browser-module.ts';

/** The paths that pages refer to. */
export interface SiteAssets {
  readonly style: string;
  /** Runs before the page is drawn. */
  readonly early: string;
  readonly module: string;
  readonly font: string;
  readonly icon: string;
  /** A run of `stackyard add`: `tests/site/picture.long.test.ts` draws it. */
  readonly picture: string;
  /** What other sites show of a link, 1200 by 630 pixels. */
  readonly preview: string;
}

export interface AssetFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The assets and their files. */
interface LoadedAssets {
  readonly assets: SiteAssets;
  readonly files: readonly AssetFile[];
}

/** The file of the package that names its assets; they lie beside it in their folder. */
export const PACKAGED_ASSETS = 'assets.json';

const FOLDER = join(import.meta.dirname, 'assets');
const FONT = '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
/** The parts of the style sheet, in their order. */
const STYLES = [
  'base',
  'shell',
  'search',
  'marks',
  'lists',
  'commands',
  'build',
  'prose',
  'source',
  'feeds',
  'narrow',
] as const;
let loaded: Promise<LoadedAssets> | undefined;

/** Reads them, once per process. */
export function loadAssets(): Promise<LoadedAssets> {
  loaded ??= isPackaged ? readPackaged() : readAssets();
  return loaded;
}

/** As they were made when the package was built. */
async function readPackaged(): Promise<LoadedAssets> {
  const { assets, paths } = JSON.parse(readFileSync(packagedFile(PACKAGED_ASSETS), 'utf8')) as {
    assets: SiteAssets;
    paths: readonly string[];
  };
  const files = paths.map((path) => ({ path, bytes: readFileSync(packagedFile(path)) }));
  return { assets, files };
}

async function readAssets(): Promise<LoadedAssets> {
  const parts = await browserModule();
  const scripts = parts.map(({ name, text }) => {
    return { path: `assets/${name}`, bytes: Buffer.from(text) };
  });
  const font = asset('text', readFileSync(createRequire(import.meta.url).resolve(FONT)), 'woff2');
  const icon = asset('icon', readAsset('icon.svg'), 'svg');
  const picture = asset('plan', readAsset('plan.svg'), 'svg');
  const preview = asset('preview', readAsset('preview.png'), 'png');
  const early = asset('early', readAsset('early.js'), 'js');
  // The style sheet names the font, which lies beside it.
  const sheet = STYLES.map((name) => readAsset(`style/${name}.css`).toString()).join('');
  const style = asset('style', Buffer.from(sheet.replace('text.woff2', nameOf(font))), 'css');
  return {
    assets: {
      style: style.path,
      early: early.path,
      module: scripts[0]?.path ?? early.path,
      font: font.path,
      icon: icon.path,
      picture: picture.path,
      preview: preview.path,
    },
    files: [style, early, font, icon, picture, preview, ...scripts],
  };
}

function readAsset(name: string): Buffer {
  return readFileSync(join(FOLDER, name));
}

function asset(name: string, bytes: Uint8Array, ending: string): AssetFile {
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { path: assetPath(name, digest, ending), bytes };
}

function nameOf({ path }: AssetFile): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
