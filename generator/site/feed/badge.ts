/** The badge of a build: its version, and a word when there is something to know. No text of a publisher is in it. */
import { escapeMarkup } from '../html.ts';
import { headVersion } from '../build/build-view.ts';
import type { BuildView } from '../build/build-view.ts';

/** Pixels of an average character at this size. */
const WIDTH = 6.6;
const COLOURS = { ok: '#0b6b57', caution: '#8a5300', danger: '#b3261e', grey: '#5d6a73' } as const;

export function badge({ id, latest, head }: BuildView): string {
  const isYanked = head.versions.every((one) => one.yanked !== false);
  const hasFault = (headVersion({ head }, latest.version)?.advisories ?? []).length > 0;
  const isBad = isYanked || hasFault;
  const isPlain = !isBad && head.deprecated === undefined && latest.risk === 'ok';
  const word = isYanked
    ? 'yanked'
    : hasFault
      ? 'known fault'
      : head.deprecated === undefined
        ? latest.risk
        : 'deprecated';
  const value = isPlain ? latest.version : `${latest.version} ${word}`;
  const colour = isBad
    ? COLOURS.danger
    : head.deprecated === undefined
      ? COLOURS[latest.risk]
      : COLOURS.grey;
  const [left, right] = [widthOf(id), widthOf(value)];
  const all = left + right;
  const text = (x: number, content: string): string =>
    `<text x="${x}" y="14" text-anchor="middle">${escapeMarkup(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" viewBox="0 0 ${all} 20" role="img" aria-label="${escapeMarkup(`${id}: ${value}`)}"><title>${escapeMarkup(`${id}: ${value}`)}</title><rect width="${all}" height="20" rx="4" fill="#22292e"/><path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H${left}z" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left / 2, id)}${text(left + right / 2, value)}</g></svg>
`;
}

function widthOf(text: string): number {
  return Math.round(text.length * WIDTH) + 14;
}
