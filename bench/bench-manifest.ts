/** The manifest of packages that are scanned as builds. */
export const BENCH_MANIFEST = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'A package',
  license: 'MIT',
} as const;
