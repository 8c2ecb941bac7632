/** The options of the command `matrix`. */
import { parseArgs } from 'node:util';
import { isBuildId } from '../../../format/build/build-id.ts';
import { parseOrRefuse } from './report-error.ts';
import { usageError } from '../../errors.ts';

const usage = usageError('npm run matrix -- --help');

export const USAGE = `Usage: npm run matrix -- [--build ID]... [--newest N] [--registry URL] [--dry-run]

Measures with which versions of its stack tags and packages a build works, and writes
signals/<owner>/<name>.matrix.json. Of each range: the lowest version that it admits, the newest of each major, the
newest; of a range without a lower end, such as "*", the newest of the four newest majors. One varies, the others are
the newest; what fails is tried with the lowest of the others. Each is a new project: the build is added, packages are
installed, types are checked, the code is loaded, and the commands under Verify of the guide are run.

IT RUNS CODE OF BUILDS AND OF PACKAGES: run it where nothing can be taken, such as a CI job without secrets.

  --build ID        this build, which may be repeated (default: the most used ones)
  --limit N         how many of the most used builds (default: 20)
  --newest N        how many of the newest versions of a build (default: 1)
  --tag TAG         only this stack tag or package, which may be repeated
  --stale-after N   days after which a row is measured again (default: 30)
  --again           measure every row again
  --minutes N       begin no row after this many minutes
  --dry-run         print what would be measured
  --registry URL    a registry that is served (default: the index of the repository, served for this run)
  --repo DIR        the repository whose signals/ are written (default: this folder)
  --cache DIR       packages and runtimes, for all projects (default: a folder below the temporary one)
  --json            print the figures as JSON on standard output
  --help            print this

Exit status: 0 done, whatever was found; 1 something could not be measured; 2 wrong usage. Every row is written as soon
as it is measured: a run that is killed loses one.

Example: npm run matrix -- --build stackyard/sqlite --newest 2
`;

export interface MatrixOptions {
  readonly builds: readonly string[];
  readonly limit: number;
  readonly newest: number;
  readonly tags: readonly string[];
  readonly staleAfterDays: number;
  readonly again: boolean;
  readonly minutes: number | undefined;
  readonly isDryRun: boolean;
  readonly registry: string | undefined;
  readonly repo: string;
  readonly cache: string | undefined;
  readonly json: boolean;
}

/** `undefined` for `--help`. @throws {GeneratorError} `ERR_USAGE` */
export function parseMatrixOptions(argv: readonly string[]): MatrixOptions | undefined {
  const values = parseValues(argv);
  if (values.help === true) return undefined;
  const { build: builds = [], tag: tags = [], registry } = values;
  const bad = builds.find((id) => !isBuildId(id));
  if (bad !== undefined) {
    throw usage(`Option --build is "${bad}": it must be <owner>/<name>`);
  }
  if (registry !== undefined && !/^https?:\/\/./.test(registry)) {
    throw usage(`Option --registry is "${registry}": it must be an address with https`);
  }
  return {
    builds,
    limit: numberOf('limit', values.limit, 1) ?? 20,
    newest: numberOf('newest', values.newest, 1) ?? 1,
    tags,
    staleAfterDays: numberOf('stale-after', values['stale-after'], 0) ?? 30,
    again: values.again ?? false,
    minutes: numberOf('minutes', values.minutes, 0),
    isDryRun: values['dry-run'] ?? false,
    registry: registry?.replace(/\/+$/, ''),
    repo: values.repo ?? '.',
    cache: values.cache,
    json: values.json ?? false,
  };
}

function numberOf(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= least) return number;
  throw usage(`Option --${name} is "${text}": it must be a whole number from ${least}`);
}

function parseValues(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          build: { ...text, multiple: true },
          limit: text,
          newest: text,
          tag: { ...text, multiple: true },
          'stale-after': text,
          again: flag,
          minutes: text,
          'dry-run': flag,
          registry: text,
          repo: text,
          cache: text,
          json: flag,
          help: { ...flag, short: 'h' },
        },
      }).values,
    usage,
  );
}
