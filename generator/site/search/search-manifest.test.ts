import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatManifest, readManifest } from './search-manifest.ts';

it('readManifest() is the inverse of formatManifest()', () => {
  const leaf = fc.stringMatching(/^[a-z= 𠮷-𠮸]{1,90}$/u);
  fc.assert(
    fc.property(fc.uniqueArray(leaf, { maxLength: 30 }), fc.nat(), (names, builds) => {
      const manifest = { builds, shown: 1, leaves: names.sort(), pages: ['7', 'rest'] };
      expect(readManifest(formatManifest(manifest))).toEqual(manifest);
    }),
  );
  const root = { builds: 1, shown: 1, leaves: [''], pages: ['rest'] };
  expect(readManifest(formatManifest(root))).toEqual(root);
});
