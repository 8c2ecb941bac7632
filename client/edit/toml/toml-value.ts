/** The values that edits write into TOML. */

/** Arrays are those of dependencies, tables those of poetry. */
export type TomlValue = string | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export function formatTomlValue(value: TomlValue): string {
  // Strings of JSON are basic strings of TOML: all of its escapes are among those of TOML.
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${(value as readonly TomlValue[]).map(formatTomlValue).join(', ')}]`;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => `${formatTomlKey(key)} = ${formatTomlValue(item)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

export function formatTomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}
