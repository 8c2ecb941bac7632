/**
 * The image of a build for previews elsewhere: what it is called, what it does, its facts. The same facts give the same
 * bytes; images are kept, because one takes as long as a hundred pages.
 */
import { createHash } from 'node:crypto';
import { sourceDigest } from '../../source-digest.ts';
import type { BuildView } from '../build/build-view.ts';
import { plain } from '../html.ts';
import type { Kept } from '../kept.ts';
import type { Site } from '../site.ts';
import type { ImageFont } from './image-font.ts';
import { imageFonts } from './image-font.ts';

const SIZE = { width: 1200, height: 630 };
const MAX_DESCRIPTION = 170;

/** A node of the renderer. */
interface Node {
  readonly type: string;
  readonly props: { readonly style: object; readonly children?: readonly Node[] | string };
}

/** The image as PNG. */
export async function buildImage(site: Site, view: BuildView, kept: Kept): Promise<Uint8Array> {
  const node = imageOf(site, view);
  const digest = createHash('sha256').update(JSON.stringify(node)).digest('base64url');
  const key = `${sourceDigest('generator/site/image/build-image.ts')} ${digest}`;
  const known = kept.get(key);
  if (known !== undefined) return Buffer.from(known);
  const png = await drawNext(node);
  kept.set(key, png);
  return png;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * One image after the other: each holds megabytes until the engine has collected it, and a thread works on the pages of
 * many builds side by side.
 */
function drawNext(node: Node): Promise<Uint8Array> {
  const next = last.then(() => draw(node));
  last = next.catch(() => undefined);
  return next;
}

async function draw(node: Node): Promise<Uint8Array> {
  const { default: satori } = await import('satori');
  const { Resvg } = await loadRenderer();
  const svg = await satori(node as never, { ...SIZE, fonts: imageFonts() as ImageFont[] });
  const png = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  // What the renderer holds is freed between tasks only.
  await new Promise((resolve) => void setImmediate(resolve));
  return png;
}

/** It has native code, which is not there for every system. */
async function loadRenderer(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const way = '"site": { "images": false } in registry.config.json leaves images out';
    throw new Error(`Package "@resvg/resvg-js" cannot be loaded (${reason}); ${way}`, { cause });
  }
}

/** Downloads are not on it: they would change it every day. */
function imageOf(site: Site, { id, latest, head }: BuildView): Node {
  const [owner = '', name = ''] = id.split('/');
  const description = latinText(plain(latest.description));
  const shown =
    description.length > MAX_DESCRIPTION
      ? `${description.slice(0, MAX_DESCRIPTION).trimEnd()}…`
      : description;
  const state = head.deprecated === undefined ? `risk ${latest.risk}` : 'deprecated';
  const facts = [latest.version, latest.kind, `quality ${latest.quality}`, state];
  const column = { display: 'flex', flexDirection: 'column' };
  return box(
    {
      ...column,
      justifyContent: 'space-between',
      ...SIZE,
      boxSizing: 'border-box',
      padding: '72px 80px',
      backgroundColor: '#0c1013',
      color: '#e8edf0',
      fontFamily: 'Geist',
    },
    [
      box(column, [
        text({ fontSize: 38, color: '#8c9aa3' }, `${owner} /`),
        text(
          {
            fontSize: name.length > 24 ? 60 : 92,
            fontWeight: 600,
            letterSpacing: -3,
            lineHeight: 1.1,
            wordBreak: 'break-all',
          },
          name,
        ),
        text(
          { fontSize: 36, lineHeight: 1.4, color: '#a6b3bb', marginTop: 28, maxWidth: 1040 },
          shown,
        ),
      ]),
      box({ display: 'flex', justifyContent: 'space-between', fontSize: 30, color: '#8c9aa3' }, [
        text({ color: '#5fd3b4' }, facts.join('  ·  ')),
        text({}, latinText(plain(site.name)).slice(0, 40)),
      ]),
    ],
  );
}

function box(style: object, children: readonly Node[]): Node {
  return { type: 'div', props: { style, children } };
}

function text(style: object, content: string): Node {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children: content } };
}

/** Without what the font has no glyph for: the renderer would fetch another font. */
function latinText(line: string): string {
  return line.replace(/[^\u0020-\u007E\u00A0-\u017F\u2010-\u2026]/g, '');
}
