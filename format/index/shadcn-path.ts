/**
 * Paths of the documents that the CLI of shadcn reads:
 *
 *     r/alice/web.json    r/alice/web@1.2.0.json    r/registry.json
 */
import { isBuildId } from '../build/build-id.ts';
import { isVersion } from '../version/version.ts';

export const SHADCN_FOLDER = 'r';
/** All items, without their files. */
export const SHADCN_REGISTRY_PATH = `${SHADCN_FOLDER}/registry.json`;

export type ShadcnPath =
  | { readonly kind: 'shadcn-registry' }
  | { readonly kind: 'shadcn-item'; readonly id: string }
  | { readonly kind: 'shadcn-version'; readonly id: string; readonly version: string };

/** The latest version of a build. */
export function shadcnItemPath(id: string): string {
  return `${SHADCN_FOLDER}/${id}.json`;
}

/** One version of a build. No name of a build has an `@`, so paths stay distinct. */
export function shadcnVersionPath(id: string, version: string): string {
  return `${SHADCN_FOLDER}/${id}@${version}.json`;
}

/** The inverse; `undefined` for another path. */
export function parseShadcnPath(path: string): ShadcnPath | undefined {
  if (path === SHADCN_REGISTRY_PATH) return { kind: 'shadcn-registry' };
  const [, id = '', version] = /^r\/([^/@]+\/[^/@]+?)(?:@([^/@]+))?\.json$/.exec(path) ?? [];
  if (!isBuildId(id)) return undefined;
  if (version === undefined) return { kind: 'shadcn-item', id };
  return isVersion(version) ? { kind: 'shadcn-version', id, version } : undefined;
}
