// Finds members that a JSON text names twice. Parsers differ in which of the two they use, so readers of a signed
// text with both would disagree about its meaning (RFC 8259 section 4, RFC 7519 section 4).

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Whether some object in `json`, which JSON.parse accepts, has two members of one name. */
export function hasDuplicateMember(json: string): boolean {
  // One set of names for each open object, `undefined` for each open array.
  const open: (Set<string> | undefined)[] = [];
  let text: string | undefined;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      // Only names stand before a colon. Two spellings of one name are the same name.
      const name = JSON.parse(text ?? '""') as string;
      const names = open[open.length - 1];
      if (names?.has(name)) return true;
      names?.add(name);
    }
    text = token.startsWith('"') ? token : undefined;
  }
  return false;
}
