/** The projects that are started from our foundations, with our modules, each as a new user makes it. */

/** One project: a foundation, and modules in the order in which they are integrated. */
export interface FoundationCase {
  readonly foundation: string;
  readonly modules: readonly string[];
  /** Node.js versions on which it is proved; the client itself needs 22.14. */
  readonly nodes: readonly string[];
  /** The commands that install the packages in place of the client. */
  readonly setUp?: readonly string[];
}

/** A foundation and its modules are proved on these versions where nothing else is needed. */
const NODES = ['22.14.0', '24'];

export const FOUNDATION_CASES: readonly FoundationCase[] = [
  { foundation: 'stackyard/express-api', modules: [], nodes: ['22.12.0', ...NODES] },
  { foundation: 'stackyard/express-api', modules: ['stackyard/sqlite'], nodes: NODES },
  {
    foundation: 'stackyard/express-api',
    modules: ['stackyard/sqlite', 'stackyard/account'],
    nodes: NODES,
  },
  { foundation: 'stackyard/hono-api', modules: [], nodes: ['22.12.0', ...NODES] },
  {
    foundation: 'stackyard/hono-api',
    modules: ['stackyard/sqlite', 'stackyard/account-hono'],
    nodes: NODES,
  },
  { foundation: 'stackyard/fastapi-api', modules: [], nodes: ['24'] },
  {
    foundation: 'stackyard/fastapi-api',
    modules: [],
    nodes: ['24'],
    setUp: ['uv sync'],
  },
];
