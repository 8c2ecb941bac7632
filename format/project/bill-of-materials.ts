/**
 * The builds of a project as a software bill of materials, so that scanners of a company see copied code: CycloneDX 1.6
 * (ECMA-424). What package managers install is theirs to list, and is left out.
 *
 *     pkg:generic/stackyard/account@2.1.0?checksum=sha256:9f86…&repository_url=registry.example
 */
import { hexOfIntegrity } from '../archive/integrity.ts';
import { isSpdxExpression } from '../build/license.ts';
import { compareText } from '../compare-text.ts';
import { tarballPath } from '../index/layout.ts';
import { placeOf, type Lock } from './lock.ts';

/** A file as it is in the project now. */
export interface CopiedFile {
  readonly path: string;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** What is known of a project beyond its lock. */
interface CopiedProject {
  readonly name: string;
  readonly version?: string | undefined;
  readonly lock: Lock;
  /** Build to the paths that differ from what was installed. */
  readonly edited: ReadonlyMap<string, readonly string[]>;
  /** Build to its files. */
  readonly files: ReadonlyMap<string, readonly CopiedFile[]>;
}

/** Who writes the document, and when (ISO 8601, UTC). */
interface Written {
  readonly tool: string;
  readonly version: string;
  readonly at: string;
}

const SCHEMA = 'http://cyclonedx.org/schema/bom-1.6.schema.json';

/** The document, as plain data. */
export function cycloneDx(project: CopiedProject, { tool, version, at }: Written): object {
  const copies = copiesOf(project);
  const about = { type: 'application', 'bom-ref': 'about' };
  const dependencies = [
    { ref: 'about', dependsOn: copies.map(({ id }) => id) },
    ...copies.map(({ id, build }) => {
      const required = copies.filter((other) => Object.hasOwn(build.builds, other.id));
      return { ref: id, dependsOn: required.map((other) => other.id) };
    }),
  ];
  return {
    $schema: SCHEMA,
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at,
      tools: { components: [{ type: 'application', name: tool, version }] },
      component: { ...about, name: project.name, version: project.version },
    },
    components: copies.map(component),
    dependencies,
  };
}

function copiesOf({ lock, edited, files }: CopiedProject) {
  return Object.entries(lock.builds)
    .sort(([a], [b]) => compareText(a, b))
    .map(([id, build]) => {
      const known = lock.registries[build.registry];
      const { address = '', origin = address || build.registry } = known ?? {};
      const digest = hexOfIntegrity(build.integrity);
      const isPublished = build.source === undefined && /^https?:/.test(address);
      const query = [
        `checksum=sha256:${digest}`,
        ...(build.source === undefined ? [`repository_url=${encodeURIComponent(origin)}`] : []),
      ];
      const version = encodeURIComponent(build.version);
      const tarball = isPublished
        ? `${address.replace(/\/$/, '')}/${tarballPath(id, version)}`
        : undefined;
      const purl = `pkg:generic/${id}@${version}?${query.join('&')}`;
      const own = { edited: edited.get(id) ?? [], files: files.get(id) ?? [] };
      return { id, build, purl, origin, tarball, digest, ...own };
    });
}

function component({ id, build, ...copy }: ReturnType<typeof copiesOf>[number]): object {
  const [group = '', name = ''] = id.split('/');
  const hashes = [{ alg: 'SHA-256', content: copy.digest }];
  const isEdited = copy.edited.length > 0;
  const { kind, version, license } = build;
  const property = (key: string, value: string) => ({ name: `stackyard:${key}`, value });
  const published = { type: kind === 'foundation' ? 'framework' : 'library', group, name, version };
  return {
    ...published,
    'bom-ref': id,
    hashes: isEdited ? undefined : hashes,
    licenses: isSpdxExpression(license)
      ? [{ expression: license }]
      : [{ license: { name: license || 'unknown' } }],
    purl: copy.purl,
    pedigree: isEdited
      ? {
          ancestors: [{ ...published, hashes, purl: copy.purl }],
          notes: `Edited in the project: ${copy.edited.join(', ')}`,
        }
      : undefined,
    externalReferences: copy.tarball && [{ type: 'distribution', url: copy.tarball, hashes }],
    properties: [
      property('modified', String(isEdited)),
      property('origin', build.source ?? copy.origin),
      property('folder', placeOf(build) || '.'),
      ...copy.edited.map((path) => property('edited', path)),
    ],
    components: copy.files.map(({ path, sha256 }) => ({
      type: 'file',
      name: path,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    })),
  };
}
