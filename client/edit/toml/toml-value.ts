/** The values that edits write into TOML. */

/** Arrays are lists of dependencies, tables are entries of poetry. */
export type TomlValue = string | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export function formatTomlValue(value: TomlValue): string {
  // JSON strings are valid TOML basic strings: TOML has all escapes of JSON.
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
