/** The panels of a build's page, of which the address names the one that is shown. */

/**
 * The panels of a build's page. The style sheet shows the one that the address names; this states the current one to assistive
 * software, lets arrow keys go through the links, and keeps the page where it is when another one is chosen.
 */
export function addPanels(): void {
  const nav = document.querySelector<HTMLElement>('nav.sections');
  if (nav === null) return;
  const links = [...nav.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const panelOf = (link: HTMLAnchorElement): HTMLElement | null =>
    document.querySelector(`#${link.hash.slice(1)}`);
  const mark = (): void => {
    const target = targetOf(location.hash);
    const current = links.find((link) => panelOf(link)?.contains(target)) ?? links[0];
    for (const link of links) {
      if (link === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    // On a telephone the links are wider than the screen. The page itself stays where it is.
    if (current !== undefined) {
      const [from, to] = [current.offsetLeft, current.offsetLeft + current.offsetWidth];
      const start = nav.offsetLeft + nav.scrollLeft;
      if (from < start || to > start + nav.clientWidth) nav.scrollLeft = from - nav.offsetLeft;
    }
  };
  nav.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { scrollX, scrollY } = window;
    location.hash = link.hash;
    const stay = (): void => window.scrollTo(scrollX, scrollY);
    stay();
    // Browsers may go to the panel later than that.
    requestAnimationFrame(() => requestAnimationFrame(stay));
  });
  nav.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = links.findIndex((link) => link === document.activeElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    links[(at + step + links.length) % links.length]!.focus();
  });
  window.addEventListener('hashchange', mark);
  mark();
  // The whole page is there: an address that leads nowhere shows the first panel.
  delete document.documentElement.dataset['waits'];
}

/** The element that an address leads to, before the browser has gone there. */
function targetOf(hash: string): HTMLElement | null {
  try {
    // oxlint-disable-next-line unicorn/prefer-query-selector -- any text may be an id
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}
