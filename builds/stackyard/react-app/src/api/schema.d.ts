/** Written by `npm run api` from /openapi.json of the running API; empty until then. */
export type paths = Record<never, never>;
