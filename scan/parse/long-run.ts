/**
 * Whether a text has so many characters of one kind in a row, at a tenth of what a regular expression costs: it looks at
 * every `length`th character first, and from there back to the last one that is not of the kind.
 */

/** A text without a run of at least `length` characters that `kind`, a class such as `/[a-f]/`, matches has none. */
export function longRun(kind: RegExp, length: number): (text: string) => boolean {
  const isKind = Uint8Array.from({ length: 128 }, (_, c) =>
    Number(kind.test(String.fromCharCode(c))),
  );
  return (text) => {
    // Before `start` there is no run that goes on.
    let start = 0;
    while (start + length <= text.length) {
      let at = start + length - 1;
      while (at >= start && mayBe(isKind, text.charCodeAt(at))) at -= 1;
      if (at < start) return true;
      start = at + 1;
    }
    return false;
  };
}

/** Other characters than ASCII are of every kind. */
function mayBe(isKind: Uint8Array, c: number): boolean {
  return c >= 128 || isKind[c] === 1;
}
