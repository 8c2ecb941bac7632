/**
 * What the pages of a site share. A page of which there are many shows only what the type `PageSite` has, so that another
 * name, repository or key writes a fixed number of files.
 */
import { appealAddress, type RegistryConfig } from '../../format/registry/registry-config.ts';
import type { SiteAssets } from './assets.ts';
import { plain } from './visible-text.ts';

/** What pages show of which there is one for each build or advisory: with another one, all of these are made again. */
export interface PageSite {
  /** The public address of the registry without `/` at the end, or `""`. */
  readonly address: string;
  /** Whether the registry serves the client. */
  readonly hasClient: boolean;
  readonly assets: SiteAssets;
}

/** What pages show that a site has once. */
export interface Site extends PageSite {
  /** Name of the registry. */
  readonly name: string;
  /** The git repository that takes proposals, when it is an address. */
  readonly repository: string | undefined;
  /** The form "Appeal". */
  readonly appeals: string | undefined;
  /** The public key of the transparency log. */
  readonly logKey: string | undefined;
  readonly hasHighlighting: boolean;
}

/** The site that a configuration describes. */
export function siteOf(
  config: RegistryConfig,
  assets: SiteAssets,
  { hasClient, logKey }: Pick<Site, 'hasClient' | 'logKey'>,
): Site {
  const { name, base_url: address, repository, site } = config;
  const isAddress = repository !== undefined && repository.startsWith('https:');
  return {
    name,
    address,
    repository: isAddress ? repository : undefined,
    appeals: appealAddress(config),
    hasClient,
    logKey,
    assets,
    hasHighlighting: typeof site === 'boolean' || site.highlighting,
  };
}

/**
 * `registry.css`, which every page loads: the name of the registry, and whether code has colours. Generated text has the
 * font and colours of the page in every scheme and without scripts, and screen readers read it; an image or a frame has
 * none of these.
 */
export function registryStyle({ name, hasHighlighting }: Site): string {
  const text = plain(name).replace(/["\\]/g, '\\$&');
  const plainCode =
    '.tk, .ts, .tf, .tc, .tp, .tm {\n  color: inherit;\n  font-style: inherit;\n}\n';
  return `@charset "utf-8";\n.brand-name::before {\n  content: "${text}";\n}\n${hasHighlighting ? '' : plainCode}`;
}
