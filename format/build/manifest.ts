/**
 * The manifest, `stackyard.json`, exactly by the table of the specification. Manifests come from
 * publishers and archives: `parseManifest` reports every problem at once and never throws.
 */
import { z } from 'zod';
import { NAME_PATTERN, isBuildId } from './build-id.ts';
import { MAX_LIST_ALTERNATIVES, compileGlob, globListProblem, globProblem } from './file-glob.ts';
import { isFilePath } from './file-path.ts';
import type { Finding } from '../finding/finding.ts';
import { fieldFindings } from './manifest-findings.ts';
import { isSpdxExpression } from './license.ts';
import { readManifestJson, readManifestText } from './manifest-json.ts';
import { PIP_NAME_PATTERN, isPipSpecifier } from '../version/pep440.ts';
import { hasReservedEnding, VERSION_PATTERN, isVersion } from '../version/version.ts';
import { isRange } from '../version/semver-range.ts';
import { STACK_TAG_PATTERN, isStackTag } from './stack-tag.ts';

const NPM_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
const MAX_NPM_NAME_LENGTH = 214;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const URI_SCHEME = /^(?:https?|ssh|git(?:\+https?|\+ssh)?):\/\/[^\s]+$/;

const wanted = {
  version: 'a semver version, three numbers such as "1.0.0"',
  range: 'a semver range, such as "^1.0.0" or "*"',
  tag: 'a stack tag, such as "express": a-z, 0-9, ".", "_" and "-"',
  name: '1 to 50 of a-z, 0-9 and "-", with no "-" at either end',
  license: 'an SPDX licence identifier or expression, such as "MIT" or "MIT OR Apache-2.0"',
  buildId: 'a build id "<owner>/<name>"',
  npmName: 'an npm package name, such as "zod" or "@scope/name"',
  pipName: 'a Python distribution name, such as "fastapi" or "uvicorn[standard]"',
  specifier: 'a PEP 440 specifier, such as ">=1.0,<2", or "*"',
  base: 'a relative folder such as "src/account": no "..", no "/" at either end',
  glob: 'a glob relative to the build, such as "src/**": no "..", no "/" in front',
  globs: `globs with wildcards for at most ${MAX_LIST_ALTERNATIVES} alternatives in all`,
  variable: 'a variable name: letters, digits and "_", not beginning with a digit',
  uri: 'a URI of scheme https, http, git or ssh',
} as const;

const Version = z
  .string()
  .refine((text) => isVersion(text) && !hasReservedEnding(text), {
    error: wanted.version,
  })
  .meta({ pattern: VERSION_PATTERN.source, examples: ['1.0.0'] });
const Range = z
  .string()
  .refine(isRange, { error: wanted.range })
  .meta({ examples: ['^1.0.0'] });
const Uri = z
  .string()
  // Which characters a host may have beyond ASCII differs between versions of Node.js: all of them.
  .refine((text) => URI_SCHEME.test(text) && URL.canParse(text.replaceAll(/[^\0-\x7f]/g, 'x')), {
    error: wanted.uri,
  })
  .meta({ format: 'uri' });
const StackTag = z
  .string()
  .refine(isStackTag, { error: wanted.tag })
  .meta({ pattern: STACK_TAG_PATTERN.source });

const Packages = z.strictObject({
  npm: mapOf(NPM_NAME, (k) => k.length <= MAX_NPM_NAME_LENGTH, wanted.npmName, Range)
    .optional()
    .describe('npm package to version range.'),
  pip: mapOf(
    PIP_NAME_PATTERN,
    () => true,
    wanted.pipName,
    z
      .string()
      .refine(isPipSpecifier, { error: wanted.specifier })
      .meta({ examples: ['>=1.0,<2'] }),
  )
    .optional()
    .describe('Python distribution to PEP 440 specifier, or "*".'),
});

const Stack = z.strictObject({
  requires: mapOf(STACK_TAG_PATTERN, isStackTag, wanted.tag, Range)
    .optional()
    .describe('Stack tag that the target project must have, to semver range.'),
  provides: z.array(StackTag).optional().describe('Stack tags that the build adds.'),
});

const Variable = z.strictObject({
  description: z.string().optional(),
  example: z.string().optional(),
  required: z.boolean().optional(),
});

/** The manifest's schema; JSON Schema and the type come from it. */
export const Manifest = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    name: z
      .string()
      .regex(NAME_PATTERN, { error: wanted.name })
      .describe('Published as <owner>/<name>; equal to the name of the build folder.'),
    version: Version.describe('Semver. A published version never changes.'),
    kind: z
      .enum(['module', 'foundation'], { error: 'either "module" or "foundation"' })
      .describe('"module" adds to an existing project, "foundation" starts a new one.'),
    description: text(300).describe('What the build does, at most 300 characters.'),
    license: z
      .string()
      .refine(isSpdxExpression, { error: wanted.license })
      .meta({ examples: ['MIT'] })
      .describe('SPDX licence identifier or expression.'),
    keywords: z
      .array(z.string())
      .max(20, { error: 'at most 20 items' })
      .optional()
      .describe('Words for search, at most 20.'),
    stack: Stack.optional().describe('What the target project must have and what the build adds.'),
    dependencies: Packages.optional().describe('Packages that the build needs at run time.'),
    devDependencies: Packages.optional().describe('Packages for development and tests.'),
    builds: mapOf(/^[a-z0-9-]+\/[a-z0-9-]+$/, isBuildId, wanted.buildId, Range)
      .optional()
      .describe('Other builds required: <owner>/<name> to semver range.'),
    files: z
      .array(z.string().refine((glob) => globProblem(glob) === undefined, { error: wanted.glob }))
      .refine((globs) => globListProblem(globs) === undefined, { error: wanted.globs })
      .optional()
      .describe(
        'Globs of files to install. Default: everything but the manifest, README.md and INTEGRATION.md.',
      ),
    base: z
      .string()
      .refine(isFilePath, { error: wanted.base })
      .optional()
      .describe('Folder in the target project where files go. Default: the project root.'),
    env: mapOf(VARIABLE_NAME, () => true, wanted.variable, Variable)
      .optional()
      .describe('Environment variables that the build reads.'),
    scripts: z
      .record(z.string(), z.string())
      .optional()
      .describe('Entries for "scripts" in package.json, merged where absent.'),
    repository: Uri.optional().describe('Where the source is developed.'),
    homepage: Uri.optional().describe('Where to read more.'),
  })
  .meta({ title: 'Stackyard manifest', description: 'The file stackyard.json of a build.' });

export type Manifest = z.infer<typeof Manifest>;

/**
 * What readers demand of a published manifest: its shape, and what keeps a project safe. Limits of length, the list of licences, and
 * which fields there are, are rules for what will be published: a published manifest stays readable when they change.
 */
export const PublishedManifest = z.object({
  ...Manifest.shape,
  description: z.string(),
  license: z.string(),
  keywords: z.array(z.string()).optional(),
});

type ManifestResult =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads a manifest.
 * @param bytes the file: untrusted
 * @param schema `PublishedManifest` for one that a registry has published
 * @returns the manifest, or every problem found
 */
export function parseManifest(
  bytes: Uint8Array,
  schema: typeof Manifest | typeof PublishedManifest = Manifest,
): ManifestResult {
  const source = readManifestText(bytes);
  if (typeof source !== 'string') return { ok: false, findings: [source] };
  const json = readManifestJson(source);
  if ('code' in json) return { ok: false, findings: [json] };
  const result = schema.safeParse(json.value);
  if (json.findings.length === 0 && result.success) return { ok: true, manifest: result.data };
  const fields = result.success
    ? []
    : fieldFindings(result.error, json.value, Object.keys(Manifest.shape));
  return { ok: false, findings: [...json.findings, ...fields] };
}

const Texts = z.record(z.string(), z.string()).optional().catch(undefined);
const List = z.array(z.string()).optional().catch(undefined);
const Lists = z.looseObject({ npm: Texts, pip: Texts }).optional().catch(undefined);
/** The types that code relies on, and no other rule: a member of another type is as if it were absent. */
const AnyManifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  kind: z.enum(['module', 'foundation']).catch('module'),
  description: z.string().catch(''),
  license: z.string().catch(''),
  keywords: List,
  stack: z.looseObject({ requires: Texts, provides: List }).optional().catch(undefined),
  dependencies: Lists,
  devDependencies: Lists,
  builds: Texts,
  files: z.array(z.string().refine(isGlob)).optional().catch([]),
  base: z.string().optional().catch(undefined),
  env: z.record(z.string(), Variable).optional().catch(undefined),
  scripts: Texts,
  repository: z.string().optional().catch(undefined),
  homepage: z.string().optional().catch(undefined),
});

/**
 * A manifest that was valid when its version was published, whatever the rules say now.
 * @returns `undefined` where it is no JSON object with a name and a version
 */
export function publishedManifest(bytes: Uint8Array): Manifest | undefined {
  try {
    return AnyManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

function isGlob(text: string): boolean {
  try {
    return compileGlob(text.replace(/^!/, '')) !== undefined;
  } catch {
    return false;
  }
}

/** The version that a manifest declares, read leniently: it shows which version a commit is about. */
export function declaredVersion(bytes: Uint8Array): string | undefined {
  const read = readManifestText(bytes);
  if (typeof read !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(read);
    if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
    return typeof value.version === 'string' && isVersion(value.version)
      ? value.version
      : undefined;
  } catch {
    return undefined;
  }
}

/** A string of at most `max` characters, counted as code points as JSON Schema counts them. */
function text(max: number): z.ZodString {
  return z
    .string()
    .refine((value) => Array.from(value).length <= max, { error: `at most ${max} characters` })
    .meta({ maxLength: max });
}

/** A map whose keys match `pattern` and `isKey`; the pattern goes into the JSON Schema. */
function mapOf<Value extends z.ZodType>(
  pattern: RegExp,
  isKey: (key: string) => boolean,
  wantedKey: string,
  value: Value,
): z.ZodRecord<z.ZodString, Value> {
  return z
    .record(z.string(), value)
    .superRefine(
      (map, context) => {
        for (const key of Object.keys(map)) {
          if (pattern.test(key) && isKey(key)) continue;
          context.addIssue({
            code: 'custom',
            path: [key],
            message: wantedKey,
            params: { key: true },
          });
        }
      },
      // Also when a value is already wrong: every problem is reported at once.
      { when: ({ value: map }) => isMap(map) },
    )
    .meta({ propertyNames: { pattern: pattern.source } });
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
