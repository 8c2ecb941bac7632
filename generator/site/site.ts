/** What all pages of a site share. */
import { appealAddress, type RegistryConfig } from '../../format/registry/registry-config.ts';
import type { SiteAssets } from './assets.ts';

export interface Site {
  /** Name of the registry. */
  readonly name: string;
  /** Its public address without `/` at the end, or `""`. */
  readonly address: string;
  /** The git repository that takes proposals, when it is an address. */
  readonly repository: string | undefined;
  /** The form "Appeal". */
  readonly appeals: string | undefined;
  /** Whether the registry serves the client. */
  readonly hasClient: boolean;
  /** The public key of the transparency log. */
  readonly logKey: string | undefined;
  readonly assets: SiteAssets;
  readonly hasHighlighting: boolean;
}

/** The site that a configuration describes. */
export function siteOf(
  config: RegistryConfig,
  assets: SiteAssets,
  { hasClient, logKey }: Pick<Site, 'hasClient' | 'logKey'>,
): Site {
  const { name, base_url: address, repository } = config;
  const isAddress = repository !== undefined && repository.startsWith('https:');
  const { site } = config;
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

/** The public address of a path of the index; `undefined` without an address. */
export function publicUrl({ address }: Pick<Site, 'address'>, urlPath: string): string | undefined {
  return address === '' ? undefined : `${address}/${urlPath}`;
}
