/**
 * What is fixed with the publication of a version, `/builds/<owner>/<name>/<version>.json`. Only a take-down changes it.
 * README and guide are in the tarball.
 */
import { z } from 'zod';
import { Provenance } from '../provenance/provenance.ts';
import { Capabilities } from './capabilities.ts';
import { PackageRecord } from './record.ts';

const { id, version, published_at, integrity, manifest, files, checks } = PackageRecord.shape;

export const VersionDocument = z
  .object({
    id,
    version,
    published_at,
    integrity,
    size: z.int().min(0).describe('Bytes of the tarball.'),
    manifest,
    files,
    checks: checks.describe('What its code shows; what is found later, the head has.'),
    capabilities: Capabilities,
    provenance: Provenance,
  })
  .meta({ title: 'Stackyard version' });
export type VersionDocument = z.infer<typeof VersionDocument>;
