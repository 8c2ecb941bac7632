/** The site that a run makes, with the files that its pages load. */
import { createHash } from 'node:crypto';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import type { AssetFile } from '../site/assets.ts';
import { siteOf } from '../site/site.ts';
import type { Site } from '../site/site.ts';

export interface LoadedSite {
  readonly site: Site;
  readonly files: readonly AssetFile[];
  /** Of what all pages show: with another one, all are made again. */
  readonly digest: string;
}

/** Nothing when the configuration leaves the pages out. */
export async function loadSite(
  config: RegistryConfig,
  shown: Pick<Site, 'hasClient' | 'logKey'>,
): Promise<LoadedSite | undefined> {
  if (config.site === false) return undefined;
  const { loadAssets } = await import('../site/assets.ts');
  const { assets, files } = await loadAssets();
  const site = siteOf(config, assets, shown);
  const digest = createHash('sha256').update(JSON.stringify(site)).digest('hex');
  return { site, files, digest };
}
