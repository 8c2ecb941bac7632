/** Marks the lines of a file that the address names; shift and a click on a number extend the range. */
import { formatLineRange, tryParseLineRange } from './line-range.ts';

export function addLineMarks(): void {
  const code = document.querySelector<HTMLElement>('[data-lines]');
  if (code === null) return;
  code.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#L"]');
    const [old, clicked] = [location.hash, link?.hash ?? ''].map(tryParseLineRange);
    if (!event.shiftKey || old === undefined || clicked === undefined) return;
    event.preventDefault();
    const from = Math.min(old.from, clicked.from);
    const to = Math.max(clicked.from, old.from);
    history.replaceState(null, '', formatLineRange({ from, to }));
    mark(code);
  });
  addEventListener('hashchange', () => mark(code)?.scrollIntoView({ block: 'center' }));
  mark(code)?.scrollIntoView({ block: 'center' });
}

/** @returns the first line of the range */
function mark(code: HTMLElement): Element | undefined {
  for (const line of code.querySelectorAll('.line-marked')) line.classList.remove('line-marked');
  const range = tryParseLineRange(location.hash);
  if (range === undefined) return undefined;
  const lines = [...code.querySelectorAll('.line')].slice(range.from - 1, range.to);
  for (const line of lines) line.classList.add('line-marked');
  return lines[0];
}
