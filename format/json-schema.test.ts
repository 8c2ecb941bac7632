import { describe, expect, test } from 'vitest';
import { jsonSchema } from './json-schema.ts';
import { SCHEMA_NAMES } from './index/layout.ts';
import { parseManifest } from './build/manifest.ts';

interface Node {
  readonly type?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly propertyNames?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: boolean | Node;
}

const MANIFEST = jsonSchema('manifest') as Node;
const BASE = { name: 'a', version: '1.0.0', kind: 'module', description: '', license: 'MIT' };

/** The keywords that the manifest's schema uses, in the meaning of JSON Schema draft 2020-12. */
function accepts(schema: Node, value: unknown): boolean {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (schema.type !== undefined && schema.type !== type) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) return false;
  if (typeof value === 'string') {
    if (schema.maxLength !== undefined && Array.from(value).length > schema.maxLength) return false;
    return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value);
  }
  if (Array.isArray(value)) {
    if (schema.maxItems !== undefined && value.length > schema.maxItems) return false;
    return value.every((item) => accepts(schema.items ?? {}, item));
  }
  if (typeof value !== 'object' || value === null) return true;
  const object = value as Record<string, unknown>;
  if (schema.required?.some((key) => !Object.hasOwn(object, key)) === true) return false;
  return Object.entries(object).every(([key, item]) => {
    if (!accepts(schema.propertyNames ?? {}, key)) return false;
    const own = schema.properties?.[key];
    if (own !== undefined) return accepts(own, item);
    const rest = schema.additionalProperties ?? true;
    return typeof rest === 'boolean' ? rest : accepts(rest, item);
  });
}

test.each(SCHEMA_NAMES)('jsonSchema(%s) is a titled schema of draft 2020-12', (name) => {
  expect(jsonSchema(name)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: expect.stringMatching(/^Stackyard /),
    type: 'object',
  });
});

describe("jsonSchema('manifest') has of the specification's table", () => {
  test('the fields and no others', () => {
    const fields =
      '$schema name version kind description license keywords stack dependencies devDependencies ' +
      'builds files base env scripts repository homepage';
    expect(new Set(Object.keys(MANIFEST.properties ?? {}))).toEqual(new Set(fields.split(' ')));
    expect(MANIFEST.additionalProperties).toBe(false);
    expect(MANIFEST.required).toEqual(['name', 'version', 'kind', 'description', 'license']);
  });

  test('the pattern of "name", letter for letter', () => {
    expect(MANIFEST.properties?.['name']).toMatchObject({
      type: 'string',
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$',
    });
  });

  test.each([
    ['kind', { type: 'string', enum: ['module', 'foundation'] }],
    ['description', { type: 'string', maxLength: 300 }],
    ['keywords', { type: 'array', maxItems: 20, items: { type: 'string' } }],
    ['files', { type: 'array', items: { type: 'string' } }],
    ['base', { type: 'string' }],
    ['scripts', { type: 'object', additionalProperties: { type: 'string' } }],
    ['builds', { type: 'object', additionalProperties: { type: 'string' } }],
    ['repository', { type: 'string', format: 'uri' }],
    ['homepage', { type: 'string', format: 'uri' }],
  ])('the rules of "%s"', (field, wanted) => {
    expect(MANIFEST.properties?.[field]).toMatchObject(wanted);
  });

  test.each([
    ['stack', ['requires', 'provides']],
    ['dependencies', ['npm', 'pip']],
    ['devDependencies', ['npm', 'pip']],
  ])('the two keys of "%s" and no others', (field, keys) => {
    const node = MANIFEST.properties?.[field];
    expect(Object.keys(node?.properties ?? {})).toEqual(keys);
    expect(node).toMatchObject({ type: 'object', additionalProperties: false });
    expect(node?.required).toBeUndefined();
  });

  test('the three keys of a variable and no others', () => {
    expect(MANIFEST.properties?.['env']?.additionalProperties).toMatchObject({
      type: 'object',
      properties: {
        description: { type: 'string' },
        example: { type: 'string' },
        required: { type: 'boolean' },
      },
      additionalProperties: false,
    });
  });
});

describe("jsonSchema('manifest') agrees with parseManifest()", () => {
  test.each([
    {},
    { name: 'a'.repeat(50) },
    { name: 'a'.repeat(51) },
    { name: 'A' },
    { name: undefined },
    { version: '1.0' },
    { version: '1.0.0-rc.1+x' },
    { kind: 'x' },
    { description: '😀'.repeat(300) },
    { description: '😀'.repeat(301) },
    { keywords: Array(20).fill('k') },
    { keywords: Array(21).fill('k') },
    { keywords: [1] },
    { stack: {} },
    { stack: { requires: { '@types/node': '*' }, provides: ['a'] } },
    { stack: { requires: { 'A B': '*' } } },
    { stack: { provides: ['A B'] } },
    { stack: { extra: 1 } },
    { dependencies: { npm: {}, pip: {} } },
    { dependencies: { npm: { 'A B': '*' } } },
    { dependencies: { pip: { 'a[b]': '*' } } },
    { dependencies: { pip: { 'a b': '*' } } },
    { dependencies: { gem: {} } },
    { devDependencies: { npm: { a: 1 } } },
    { builds: { 'a/b': '*' } },
    { builds: { ab: '*' } },
    { files: ['src'] },
    { files: 'src' },
    { env: { A: { required: true } } },
    { env: { A: { required: 'yes' } } },
    { env: { '1A': {} } },
    { env: { A: { extra: 1 } } },
    { scripts: { a: 'b' } },
    { scripts: { a: 1 } },
    { extra: 1 },
    { $schema: 'x' },
    { homepage: 1 },
  ])('on %j', (fields) => {
    const value: unknown = JSON.parse(JSON.stringify({ ...BASE, ...fields }));
    const result = parseManifest(new TextEncoder().encode(JSON.stringify(value)));
    expect(accepts(MANIFEST, value)).toBe(result.ok);
  });
});

test('jsonSchema() lets a file written by hand leave out what has a default', () => {
  expect(jsonSchema('registry-config')['required']).toBeUndefined();
  expect(jsonSchema('signals')['required']).toEqual(['updated_at']);
});

test.each(['registry-config', 'owner-file', 'manifest'] as const)(
  'jsonSchema(%s) lets an editor name the schema',
  (name) => {
    expect(jsonSchema(name)['properties']).toHaveProperty('$schema');
  },
);
