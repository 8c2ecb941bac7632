/** Reads JSON as tools do: comments and trailing commas are allowed, and invalid text does not throw. */
import { parse } from 'jsonc-parser';

const MAX_JSON_LENGTH = 2_000_000;
const MAX_JSON_DEPTH = 200;
const [OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [91, 93, 123, 125];

/**
 * The value, or `undefined` when the text is not an object. JSON proper is read at any size and depth, as package managers do;
 * with comments it may be neither too large nor too deep.
 */
export function readJsonObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  // Several rules read the same file, one after the other.
  if (last?.text !== text) last = { text, value: parseObject(text) };
  return last.value;
}

type JsonObject = Readonly<Record<string, unknown>>;

let last: { readonly text: string; readonly value: JsonObject | undefined } | undefined;

function parseObject(text: string): JsonObject | undefined {
  const strict = parseStrict(text);
  if (strict !== undefined) return isObject(strict) ? strict : undefined;
  if (text.length > MAX_JSON_LENGTH || isDeep(text)) return undefined;
  const value = parse(text, [], { allowTrailingComma: true }) as unknown;
  return isObject(value) ? value : undefined;
}

/** JSON without extensions: the only reader for which `__proto__` is a key as any other. */
function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of an object whose values are strings; none when it is not an object. */
export function stringEntries(value: unknown): [string, string][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** The offset of the JSON string `value` in `text`, after the key `key` if that occurs. */
export function findString(text: string, key: string, value: string): number {
  const from = Math.max(0, text.indexOf(`${JSON.stringify(key)}`));
  const at = text.indexOf(JSON.stringify(value), from);
  return at === -1 ? from : at + 1;
}

/** The parser recurses, so text with deeper brackets is not parsed. Brackets in strings count too. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charCodeAt(at);
    if (c === OPEN_CURLY || c === OPEN_SQUARE) depth += 1;
    else if (c === CLOSE_CURLY || c === CLOSE_SQUARE) depth = Math.max(0, depth - 1);
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}
