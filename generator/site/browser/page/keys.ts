/** Keys of every page: `/` goes to the search, `y` to the permanent address, `?` shows this list. */

export function addKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
    if (act(key)) event.preventDefault();
  });
}

/** Whether there was something to do. */
function act(key: string): boolean {
  if (key === '/') {
    const input = document.querySelector<HTMLInputElement>('[data-search-input]');
    input?.focus();
    input?.select();
    return input !== null;
  }
  if (key === 'y') {
    const link = document.querySelector<HTMLAnchorElement>('a[data-permalink]');
    // The lines that the address marks stay marked.
    if (link !== null) location.href = new URL(location.hash, link.href).href;
    return link !== null;
  }
  const dialog = document.querySelector<HTMLDialogElement>('dialog#keys');
  if (key !== '?' || dialog === null || dialog.open) return false;
  dialog.showModal();
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, select, textarea'))
  );
}
