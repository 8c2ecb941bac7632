/** The scripts of a page, each at its place: the rest of the page is blanks. */

const SCRIPT = /<script\b([^>]{0,1000})>([^]*?)(?=<\/script|$)/gi;
/** Data and templates: no browser runs them. */
const IDLE =
  /\btype\s{0,3}=(?!\s{0,3}(?:["']{2}|["']?(?:module|(?:text|application)\/(?:java|ecma)script)))/i;

/** One text as long as the page; `undefined` for what is not a page, or has no script. */
export function pageScripts(path: string, text: string): string | undefined {
  if (!/\.html?$/i.test(path)) return undefined;
  let scripts = '';
  for (const { 0: all, 1: attributes = '', 2: code = '', index } of text.matchAll(SCRIPT)) {
    if (IDLE.test(attributes) || code.trim() === '') continue;
    const start = index + all.length - code.length;
    scripts += `;${code}`.padStart(start + code.length - scripts.length);
  }
  return scripts === '' ? undefined : scripts;
}
