/**
 * The compiler settings with which the sources of our modules are compiled: rows of values that contain every
 * possible pair of two values, instead of all combinations.
 */

/** One value of each setting. */
export interface CompileRow {
  readonly typescript: '4.9' | '5.0' | '5.5' | '5.9' | '7.0';
  /** The set of type packages, see `TYPE_SETS`. */
  readonly types: 'node 18' | 'node 20' | 'node 22' | 'node 24';
  readonly modules: 'CommonJS' | 'CommonJS, NodeNext' | 'ESM, NodeNext' | 'ESM, bundler';
  readonly target: 'ES2020' | 'ES2021' | 'ES2022' | 'ES2023' | 'ES2024';
  readonly strict: boolean;
  readonly noUncheckedIndexedAccess: boolean;
  readonly exactOptionalPropertyTypes: boolean;
  readonly verbatimModuleSyntax: boolean;
  readonly isolatedModules: boolean;
}

type Setting = keyof CompileRow;

const VALUES: { readonly [S in Setting]: readonly CompileRow[S][] } = {
  typescript: ['4.9', '5.0', '5.5', '5.9', '7.0'],
  types: ['node 18', 'node 20', 'node 22', 'node 24'],
  modules: ['CommonJS', 'CommonJS, NodeNext', 'ESM, NodeNext', 'ESM, bundler'],
  target: ['ES2020', 'ES2021', 'ES2022', 'ES2023', 'ES2024'],
  strict: [true, false],
  noUncheckedIndexedAccess: [true, false],
  exactOptionalPropertyTypes: [true, false],
  verbatimModuleSyntax: [true, false],
  isolatedModules: [true, false],
};

/** Whether the compiler and the type packages accept these values at all, whatever the sources are. */
export function isPossible(row: CompileRow): boolean {
  const version = Number(row.typescript);
  const isOldest = row.typescript === '4.9';
  // ECMAScript modules only: with CommonJS the compiler refuses every `import`.
  if (row.verbatimModuleSyntax && (isOldest || row.modules.startsWith('CommonJS'))) return false;
  if (row.exactOptionalPropertyTypes && !row.strict) return false;
  if (row.modules === 'ESM, bundler' && isOldest) return false;
  if (row.target === 'ES2023' && version < 5.2) return false;
  if (row.target === 'ES2024' && version < 5.7) return false;
  // Buffer of @types/node 18 is not the Uint8Array of newer compilers; newer type packages need newer compilers.
  if (row.types === 'node 18') return version < 5.7;
  if (row.types === 'node 20') return version >= 5;
  return version >= 5.5;
}

/** Rows that contain each pair of values that is possible at all; always the same ones. */
export function makeCompileRows(): CompileRow[] {
  const possible = combine()
    .filter(isPossible)
    .map((row) => ({ row, pairs: pairsOf(row) }));
  const missing = new Set(possible.flatMap(({ pairs }) => pairs));
  const rows: CompileRow[] = [];
  while (missing.size > 0) {
    let best = possible[0]!;
    let bestGain = 0;
    for (const one of possible) {
      const gain = one.pairs.filter((pair) => missing.has(pair)).length;
      if (gain > bestGain) [best, bestGain] = [one, gain];
    }
    rows.push(best.row);
    for (const pair of best.pairs) missing.delete(pair);
  }
  return rows.sort((a, b) => order(a) - order(b));
}

/** Each pair of values of a row, as a text. */
export function pairsOf(row: CompileRow): string[] {
  const texts = Object.entries(row).map(([setting, value]) => `${setting} ${value}`);
  return texts.flatMap((one, index) => texts.slice(index + 1).map((other) => `${one}, ${other}`));
}

function combine(): CompileRow[] {
  let rows: Partial<CompileRow>[] = [{}];
  for (const [setting, values] of Object.entries(VALUES)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [setting]: value })));
  }
  return rows as CompileRow[];
}

function order(row: CompileRow): number {
  return (
    VALUES.typescript.indexOf(row.typescript) * 100 +
    VALUES.modules.indexOf(row.modules) * 10 +
    VALUES.target.indexOf(row.target)
  );
}
