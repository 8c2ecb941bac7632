/** Comments at the top of a file with which linters ignore what cannot be fixed in it. Pure. */

const HEADER =
  /^(?:\/\* (?:es|ox)lint-disable(?: [\w@/, -]+)? \*\/|\/\/ biome-ignore-all lint[^\n]*|# ruff: noqa[^\n]*)\n/;

/** The header of `text`: comments with which linters ignore what cannot be fixed; each line with its end, and what is left without it. A `#!` line stays in the body. */
export function splitHeader(text: string): { readonly header: string; readonly body: string } {
  const first = /^#![^\n]*\n/.exec(text)?.[0] ?? '';
  let header = '';
  let rest = text.slice(first.length);
  for (let found = HEADER.exec(rest); found !== null; found = HEADER.exec(rest)) {
    header += found[0];
    rest = rest.slice(found[0].length);
  }
  return { header, body: first + rest };
}

/** `body` with `header`, after a `#!` line. */
export function joinHeader(header: string, body: string): string {
  const first = /^#![^\n]*\n/.exec(body)?.[0] ?? '';
  return first + header + body.slice(first.length);
}
