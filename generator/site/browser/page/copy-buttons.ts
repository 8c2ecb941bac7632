/** Buttons that copy a text of the page: those that pages have, and one for each block of code in a text. */
import { announce, element } from './element.ts';

const SHOWN_MS = 2_000;

export function addCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const source = document.getElementById(button.dataset['copy'] ?? '');
    if (source !== null) addCopying(button, source);
  }
  for (const pre of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = element('button', 'copy', 'Copy');
    button.type = 'button';
    const box = element('div', 'copied');
    pre.replaceWith(box);
    box.append(pre, button);
    addCopying(button, pre);
  }
}

function addCopying(button: HTMLButtonElement, source: HTMLElement): void {
  const label = button.textContent;
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.hidden = false;
  button.addEventListener('click', () => {
    void copy(source).then((isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Selected';
      announce(isCopied ? 'Copied' : 'Selected: copy with the keyboard');
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = label;
      }, SHOWN_MS);
    });
  });
}

/** Where the clipboard is not available, as on a page without TLS, the text is selected instead. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText((source.textContent ?? '').trim());
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}
