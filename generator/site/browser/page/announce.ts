/** Gives a screen reader a message. */
export function announce(text: string): void {
  const place = document.getElementById('announce');
  if (place === null) return;
  // The same text again is announced only when it changes.
  place.textContent = '';
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
