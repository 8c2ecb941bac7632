/** A JSON Schema of ours as a TypeScript type. */

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/** @throws {Error} for a schema that no type here can express */
export function schemaType(schema: Schema, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((v) => JSON.stringify(v)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((s) => schemaType(s, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${schemaType(schema.items ?? {}, indent)})[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`No type for ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

function objectType(
  { properties, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  if (properties === undefined) {
    const item = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Readonly<Record<string, ${schemaType(item, indent)}>>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([key, schema]) => {
    const doc = schema.description === undefined ? '' : `${inner}/** ${schema.description} */\n`;
    const name = /^[a-z_$][\w$]*$/i.test(key) ? key : JSON.stringify(key);
    return `${doc}${inner}readonly ${name}${required.includes(key) ? '' : '?'}: ${schemaType(schema, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}
