/** The program of the package `stackyard-registry`: runs one of the programs of the generator. */

const USAGE = `Usage: stackyard-registry <program> [options]

  init        makes the repository of a registry
  generate    generates the index from the git history of a repository
  serve       generates the index and serves it on this machine
  gate        judges a pull request: merge, review or refuse
  deploy      uploads the index to an object store or a folder
  ingest      counts downloads from access logs, and reports and flags
  matrix      measures with which versions of their stack tags and packages builds work
  shard       moves the builds of a repository to another layout
  audit       checks a registry against its log and a clone of its repository
  log:key     makes a key for the transparency log
  log:cosign  asks the witnesses of the log
  log:keep    keeps the log in a branch of the repository
  witness     confirms the logs of other registries

"stackyard-registry <program> --help" describes a program.
`;

/** Each reads its arguments and sets the exit status when it is loaded. */
const PROGRAMS: Readonly<Record<string, () => Promise<unknown>>> = {
  audit: () => import('./audit.ts'),
  deploy: () => import('./deploy.ts'),
  gate: () => import('./gate.ts'),
  generate: () => import('./generate.ts'),
  ingest: () => import('./ingest.ts'),
  init: () => import('./init.ts'),
  'log:cosign': () => import('./log-cosign.ts'),
  'log:keep': () => import('./log-keep.ts'),
  'log:key': () => import('./log-key.ts'),
  matrix: () => import('./matrix.ts'),
  shard: () => import('./shard.ts'),
  serve: () => import('./serve.ts'),
  witness: () => import('./witness.ts'),
};

const [name = '--help'] = process.argv.slice(2, 3);
if (name === '--help' || name === '-h') process.stdout.write(USAGE);
else if (Object.hasOwn(PROGRAMS, name)) {
  process.argv.splice(2, 1);
  await PROGRAMS[name]?.();
} else {
  console.error(`error: There is no program ${JSON.stringify(name)} [ERR_USAGE]`);
  console.error('hint: see stackyard-registry --help');
  process.exitCode = 2;
}
