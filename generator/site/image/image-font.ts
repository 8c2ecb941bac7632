/** The typeface of images, from its package or beside the code of ours. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isPackaged, packagedFile } from '../../packaged.ts';

export const IMAGE_WEIGHTS = [400, 600] as const;

export interface ImageFont {
  readonly name: string;
  readonly data: Buffer;
  readonly weight: (typeof IMAGE_WEIGHTS)[number];
  readonly style: 'normal';
}

let loaded: readonly ImageFont[] | undefined;

/** The weights that images use. The renderer keeps what it has parsed by this list, so it is the same one each time. */
export function imageFonts(): readonly ImageFont[] {
  loaded ??= IMAGE_WEIGHTS.map((weight) => {
    return {
      name: 'Geist',
      data: readFileSync(fontFile(weight)),
      weight,
      style: 'normal' as const,
    };
  });
  return loaded;
}

function fontFile(weight: number): string {
  const name = `geist-latin-${weight}-normal.woff`;
  if (isPackaged) return packagedFile(`fonts/${name}`);
  return createRequire(import.meta.url).resolve(`@fontsource/geist/files/${name}`);
}
