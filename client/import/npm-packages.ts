/** The packages of an item as fields of a manifest: `zod@^3.20.0` is `{ zod: "^3.20.0" }`. Pure. */
import { isRange } from '../../format/version/semver-range.ts';

export interface ItemPackages {
  readonly packages: Readonly<Record<string, string>>;
  /** Specifications that are no range, or name no package of npm. */
  readonly unread: readonly string[];
}

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;

export function itemPackages(specifications: readonly string[] = []): ItemPackages {
  const packages = new Map<string, string>();
  const unread: string[] = [];
  for (const text of specifications) {
    const at = text.indexOf('@', 1);
    const name = (at < 0 ? text : text.slice(0, at)).trim();
    const range = at < 0 ? '*' : text.slice(at + 1).trim();
    if (!NAME.test(name)) unread.push(text);
    else if (range === 'latest' || range === '') packages.set(name, '*');
    else if (isRange(range)) packages.set(name, range);
    else {
      unread.push(text);
      packages.set(name, '*');
    }
  }
  return { packages: Object.fromEntries(packages), unread };
}
