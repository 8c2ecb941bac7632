/** Writes `schemas/<name>.schema.json` from the schemas of `format/`; `--check` only compares. */
import { jsonSchema } from '../format/json-schema.ts';
import { SCHEMA_NAMES } from '../format/index/layout.ts';
import type { GeneratedFile } from './generated-file.ts';
import { runUpdate } from './generated-file.ts';

/** Every JSON Schema as the file that holds it. */
export function schemaFiles(): GeneratedFile[] {
  return SCHEMA_NAMES.map((name) => ({
    path: `schemas/${name}.schema.json`,
    text: `${JSON.stringify(jsonSchema(name), null, 2)}\n`,
  }));
}

if (import.meta.main) runUpdate(schemaFiles(), 'node tools/write-schemas.ts');
