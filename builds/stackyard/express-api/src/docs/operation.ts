// What a feature states about its routes, for the description of the API.

import type { z } from 'zod';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Operation {
  /** A few words, for lists. */
  readonly summary: string;
  readonly description?: string;
  /** Schemas of objects: each property is a parameter. */
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** The JSON body. */
  readonly body?: z.ZodType;
  /** By status: the schema of the JSON body, or a text about an answer without one of its own. */
  readonly answers: Readonly<Record<number, z.ZodType | string>>;
  /** Whether it needs a bearer token. */
  readonly needsToken?: boolean;
}

/** By path after the prefix of the feature, such as `/` or `/{id}`. Parameters of the path are texts. */
export type Operations = Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
