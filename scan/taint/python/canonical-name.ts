/** The canonical names of Python APIs: the tables have one name for each API, code has many. */

/** Each pattern with its replacement, applied in order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:__builtin__|__builtins__|builtins\.__builtins__|builtins\.builtins)(?=\.|$)/, 'builtins'],
  [/^builtins\.(?=(?:os|subprocess|sys|base64|zlib|requests|socket|urllib|marshal)\b)/, ''],
  [/^Crypto\.Cipher\.(\w+)\.AES/, 'Crypto.Cipher.$1.AES'],
  [/^fernet\.Fernet$/, 'cryptography.fernet.Fernet'],
  [/^(?:urllib\.request|requests)\.(?:requests|request)\.(?=urlopen)/, 'urllib.request.'],
  [/^requests\.(?:api|sessions)\./, 'requests.'],
  [/^shutil\._?shutil\./, 'shutil.'],
];

/** The name under which the tables list the API `name`. */
export function canonicalPython(name: string): string {
  let canonical = name;
  for (const [pattern, by] of REPLACEMENTS) canonical = canonical.replace(pattern, by);
  return canonical;
}
