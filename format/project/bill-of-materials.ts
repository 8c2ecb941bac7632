/**
 * The builds of projects as a software bill of materials, so that scanners of a company see copied code: CycloneDX 1.6
 * (ECMA-424) and SPDX 2.3 (ISO/IEC 5962). What package managers install is theirs to list, and is left out.
 *
 *     pkg:generic/stackyard/account@2.1.0?checksum=sha256:9f86…&repository_url=registry.example
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { parseIntegrity, sha256Hex } from '../archive/integrity.ts';
import { isSpdxExpression } from '../build/license.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { compareText } from '../compare-text.ts';
import { tarballPath } from '../index/layout.ts';
import { placeOf, type Lock, type LockedBuild } from './lock.ts';

/** A file as it is in the project now. */
export interface CopiedFile {
  readonly path: string;
  /** In hexadecimal. */
  readonly sha1: string;
  readonly sha256: string;
}

/** What documents state of a build. */
type CopiedBuild = Pick<
  LockedBuild,
  'version' | 'kind' | 'license' | 'integrity' | 'registry' | 'builds' | 'base'
> &
  Partial<Pick<LockedBuild, 'source' | 'placement'>>;

/** What is known of a project beyond its lock. */
export interface CopiedProject {
  readonly name: string;
  readonly version?: string | undefined;
  readonly lock: {
    readonly builds: Readonly<Record<string, CopiedBuild>>;
    readonly registries: Lock['registries'];
  };
  /** Build to the paths that differ from what was installed. */
  readonly edited: ReadonlyMap<string, readonly string[]>;
  /** Build to its files; without it, documents list no files. */
  readonly files?: ReadonlyMap<string, readonly CopiedFile[]>;
  /** Build to ids of advisories about its version. */
  readonly advisories?: ReadonlyMap<string, readonly string[]>;
}

/** Who writes the document, and when (ISO 8601, UTC). */
export interface Written {
  readonly tool: string;
  readonly version: string;
  readonly at: string;
}

type Copied = ReturnType<typeof copiesOf>[number];

/** @param many whether the document is about several projects: then refs name theirs */
function copiesOf(project: CopiedProject, many: boolean) {
  const { builds, registries } = project.lock;
  return Object.entries(builds)
    .sort(([a], [b]) => compareText(a, b))
    .map(([id, build]) => {
      const { address = '', origin = address || build.registry } = registries[build.registry] ?? {};
      const digest = Buffer.from(parseIntegrity(build.integrity)).toString('hex');
      const isPublished = build.source === undefined && /^https?:/.test(address);
      const query = [
        `checksum=sha256:${digest}`,
        ...(build.source === undefined ? [`repository_url=${encodeURIComponent(origin)}`] : []),
      ];
      const version = encodeURIComponent(build.version);
      const tarball = isPublished
        ? `${address.replace(/\/$/, '')}/${tarballPath(id, version)}`
        : undefined;
      return {
        id,
        ref: many ? `${project.name}#${id}` : id,
        purl: `pkg:generic/${id}@${version}?${query.join('&')}`,
        build,
        origin,
        tarball,
        digest,
        edited: project.edited.get(id) ?? [],
        files: project.files?.get(id) ?? [],
        advisories: project.advisories?.get(id) ?? [],
      };
    });
}

const SCHEMA = 'http://cyclonedx.org/schema/bom-1.6.schema.json';

/** @param name of what the document is about: the project, or the fleet */
export function cycloneDx(
  name: string,
  projects: readonly CopiedProject[],
  { tool, version, at }: Written,
): object {
  const isMany = projects.length !== 1;
  const all = projects.map((project) => ({ project, copies: copiesOf(project, isMany) }));
  const advised = Map.groupBy(
    all.flatMap(({ copies }) =>
      copies.flatMap(({ ref, advisories }) => advisories.map((id) => ({ id, ref }))),
    ),
    ({ id }) => id,
  );
  const [only] = projects;
  const about = {
    type: 'application',
    'bom-ref': 'about',
    name,
    version: isMany ? undefined : only?.version,
  };
  const list = all.flatMap(({ project, copies }) => {
    const components = copies.map(component);
    if (!isMany) return components;
    const { name: of } = project;
    return [{ type: 'application', 'bom-ref': of, name: of, components }];
  });
  const dependencies = all.flatMap(({ project, copies }) => [
    { ref: isMany ? project.name : 'about', dependsOn: copies.map(({ ref }) => ref) },
    ...copies.map(({ ref, build }) => {
      const required = copies.filter(({ id }) => Object.hasOwn(build.builds, id));
      return { ref, dependsOn: required.map((one) => one.ref) };
    }),
  ]);
  return {
    $schema: SCHEMA,
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at,
      tools: { components: [{ type: 'application', name: tool, version }] },
      component: about,
    },
    components: list,
    dependencies,
    vulnerabilities: [...advised].map(([id, of]) => {
      return { id, affects: of.map(({ ref }) => ({ ref })) };
    }),
  };
}

function component({ id, ref, build, ...copy }: Copied): object {
  const [group = '', name = ''] = id.split('/');
  const hashes = [{ alg: 'SHA-256', content: copy.digest }];
  const isEdited = copy.edited.length > 0;
  const { kind, version, license } = build;
  const property = (key: string, value: string) => ({ name: `stackyard:${key}`, value });
  const published = { type: kind === 'foundation' ? 'framework' : 'library', group, name, version };
  return {
    ...published,
    'bom-ref': ref,
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
    components: copy.files.map(({ path, sha256, sha1: short }) => ({
      type: 'file',
      name: path,
      hashes: [
        { alg: 'SHA-1', content: short },
        { alg: 'SHA-256', content: sha256 },
      ],
    })),
  };
}

/** @param project with its files: SPDX names the contents of a package */
export function spdx(project: CopiedProject, { tool, version, at }: Written): object {
  const copies = copiesOf(project, false);
  const none = 'NOASSERTION';
  const about = {
    SPDXID: 'SPDXRef-Project',
    name: project.name,
    ...(project.version === undefined ? {} : { versionInfo: project.version }),
    downloadLocation: none,
    filesAnalyzed: false,
    licenseConcluded: none,
    licenseDeclared: none,
    copyrightText: none,
    primaryPackagePurpose: 'APPLICATION',
  };
  const packages = copies.map(({ id, build, purl, digest, tarball, edited, files }) => ({
    SPDXID: refOf(id),
    name: id,
    versionInfo: build.version,
    downloadLocation: tarball ?? none,
    filesAnalyzed: files.length > 0,
    ...(files.length > 0
      ? {
          packageVerificationCode: { packageVerificationCodeValue: verificationCode(files) },
          licenseInfoFromFiles: [none],
        }
      : {}),
    checksums: [{ algorithm: 'SHA256', checksumValue: digest }],
    licenseConcluded: none,
    licenseDeclared: isDeclarable(build.license) ? build.license : none,
    copyrightText: none,
    primaryPackagePurpose: build.kind === 'foundation' ? 'FRAMEWORK' : 'LIBRARY',
    externalRefs: [
      { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl },
    ],
    comment:
      edited.length === 0
        ? 'As published; the checksum is that of the published tarball'
        : `Edited in the project: ${edited.join(', ')}; the checksum is that of the published tarball`,
  }));
  const placed = copies.flatMap(({ id, files }) => files.map((file) => ({ of: id, ...file })));
  // A file that two builds placed is one element.
  const files = new Map(placed.map((file) => [file.path, file]));
  const relationship = (from: string, relationshipType: string, to: string) => {
    return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
  };
  const document = {
    packages: [about, ...packages],
    files: [...files.values()].map((file) => ({
      SPDXID: fileRef(file.path),
      fileName: `./${file.path}`,
      checksums: [
        { algorithm: 'SHA1', checksumValue: file.sha1 },
        { algorithm: 'SHA256', checksumValue: file.sha256 },
      ],
      licenseConcluded: none,
      licenseInfoInFiles: [none],
      copyrightText: none,
    })),
    relationships: [
      relationship('SPDXRef-DOCUMENT', 'DESCRIBES', about.SPDXID),
      ...copies.flatMap(({ id, build }) => [
        relationship(about.SPDXID, 'CONTAINS', refOf(id)),
        ...Object.keys(build.builds)
          .filter((other) => Object.hasOwn(project.lock.builds, other))
          .sort()
          .map((other) => relationship(refOf(id), 'DEPENDS_ON', refOf(other))),
      ]),
      ...placed.map(({ of, path }) => relationship(refOf(of), 'CONTAINS', fileRef(path))),
    ],
  };
  const digest = sha256Hex(Buffer.from(canonicalJson({ ...document, at })));
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: project.name,
    documentNamespace: `https://spdx.org/spdxdocs/stackyard-${digest.slice(0, 32)}`,
    creationInfo: { created: at, creators: [`Tool: ${tool}-${version}`] },
    ...document,
  };
}

function refOf(id: string): string {
  return `SPDXRef-Build-${id.replace('/', '.')}`;
}

/** Names of elements have no "/"; two paths must not get one name. */
function fileRef(path: string): string {
  return `SPDXRef-File-${sha256Hex(Buffer.from(path)).slice(0, 24)}`;
}

/** One with a reference would have to bring its text along. */
function isDeclarable(license: string): boolean {
  return isSpdxExpression(license) && !/(?:LicenseRef|DocumentRef)-/.test(license);
}

/** SPDX 2.3, section 7.9. */
function verificationCode(files: readonly CopiedFile[]): string {
  const sums = files.map((file) => file.sha1).sort();
  return Buffer.from(sha1(Buffer.from(sums.join('')))).toString('hex');
}
