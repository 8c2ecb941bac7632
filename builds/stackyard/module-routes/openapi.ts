// Routes as OpenAPI 3.1: path items by path below the prefix, and the schemas that they name. A foundation puts those
// of all modules together.

export type Json = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly paths: Record<string, Json>;
  readonly schemas: Record<string, Json>;
}

export interface Operation {
  /** A few words, for lists. */
  readonly summary: string;
  /** By status: the schema of the JSON body, a body of another type, or a text about an answer without one. */
  readonly answers: Readonly<Record<number, Json | string>>;
  /** By status, why the request was refused. */
  readonly refusals: Readonly<Record<number, string>>;
  /** The schema of the JSON body, or with `content` a body of another type. */
  readonly body?: Json;
  readonly parameters?: readonly Json[];
}

/** Operations that need a login, by path and method; `tag` groups them. A path with `{id}` has the parameter. */
export function describeRoutes(
  tag: string,
  routes: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  schemas: Readonly<Record<string, Json>>,
): OpenApi {
  const paths = Object.entries(routes).map(([path, operations]) => {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
      return parameter('path', name, { type: 'string' }, true);
    });
    const items = Object.entries(operations).map(([method, operation]) => [method, describe(tag, operation)]);
    return [path, { ...(names.length > 0 && { parameters: names }), ...Object.fromEntries(items) }] as const;
  });
  return { paths: Object.fromEntries(paths), schemas: { ...schemas } };
}

function describe(tag: string, { summary, answers, refusals, body, parameters }: Operation): Json {
  const responses: Record<string, Json> = {};
  for (const [status, answer] of Object.entries(answers)) {
    const isText = typeof answer === 'string';
    responses[status] = isText ? { description: answer } : { description: summary, ...content(answer) };
  }
  for (const [status, description] of Object.entries(refusals)) responses[status] = { description };
  return {
    summary,
    tags: [tag],
    security: [{ bearer: [] }],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, ...content(body) } }),
    responses,
  };
}

function content(schema: Json): Json {
  return 'content' in schema ? schema : { content: { 'application/json': { schema } } };
}

export function parameter(place: 'query' | 'header' | 'path', name: string, schema: Json, required = false): Json {
  return { name, in: place, required, schema };
}

/** An object with these members, all required. */
export function object(properties: Readonly<Record<string, Json>>): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

export function listOf(items: Json): Json {
  return { type: 'array', items };
}

/** A schema of the components. */
export function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Those of `readPage`. */
export const PAGE_PARAMETERS: readonly Json[] = [
  parameter('query', 'limit', { type: 'integer', minimum: 1, maximum: 100, default: 50 }),
  parameter('query', 'after', { type: 'string' }),
];
