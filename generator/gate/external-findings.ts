/**
 * What another scanner finds in the proposed builds: a file with its SARIF log, or a program that is started for each build. It gets the
 * files in a folder of its own, and neither secrets nor the repository.
 */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isFilePath } from '../../format/build/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { describeExternal, parseSarif, pathBelow } from '../../format/registry/external-finding.ts';
import type { ExternalFinding } from '../../format/registry/external-finding.ts';
import type { JudgedBuild } from '../../format/registry/gate-verdict.ts';
import { buildFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { Source } from '../../scan/source.ts';
import { GeneratorError } from '../errors.ts';
import { passedVariables, runProgram } from '../matrix/run-program.ts';

const MAX_LISTED = 100;
const HINT = 'pass the SARIF 2.1.0 log that the scanner wrote, of at most 5 MB';
const SCANNER_SECONDS = 120;

/** Its packages, by their digests. */
const GUARDDOG = new URL('./guarddog.txt', import.meta.url);
/** Those that have the packages. */
const PYTHON =
  'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))';
const INSTALL_SECONDS = 300;

/**
 * Installs GuardDog below `folder`. Where the packages cannot be had, the program is missing then, which the gate reports.
 * @returns the program; `undefined` where this machine has no Python for it
 */
export async function installGuarddog(folder: string): Promise<string | undefined> {
  const bin = join(folder, 'guarddog/bin');
  const env = passedVariables(process.env);
  const run = async (program: string, ...args: string[]): Promise<boolean> =>
    (await runProgram(program, args, { cwd: folder, env }, INSTALL_SECONDS * 1_000)).isOk;
  if (!(await run('python3', '-c', PYTHON))) return undefined;
  const options = ['--quiet', '--only-binary=:all:', '--require-hashes'];
  if (await run('python3', '-m', 'venv', dirname(bin)))
    await run(join(bin, 'pip'), 'install', ...options, '-r', fileURLToPath(GUARDDOG));
  return join(bin, 'guarddog');
}

/** What other scanners find in a build. */
export interface OtherScan {
  /** Of its files, as its verdict lists them. */
  readonly findings: JudgedBuild['findings'];
  /** Comments of a reviewer, which decide nothing. */
  readonly comments?: JudgedBuild['findings'];
  /** Absent where none was asked; `answered` when all did. */
  readonly state?: 'answered' | 'failed';
}

/** @throws {GeneratorError} `ERR_USAGE` when the file is no SARIF log */
export function readExternalFindings(file: string): ExternalFinding[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_DOCUMENT_BYTES) {
    const problem = stats?.isFile() === true ? `it has ${stats.size} bytes` : 'it is not a file';
    throw new GeneratorError('ERR_USAGE', `Cannot read "${file}": ${problem}`, { hint: HINT });
  }
  try {
    return parseSarif(readFileSync(file), `"${file}"`);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new GeneratorError('ERR_USAGE', cause.message, { hint: HINT, cause });
  }
}

/**
 * Those about files of a build, as its verdict lists them; those about other files are left out.
 *
 * @param repo absolute path of the repository that the scanner read
 */
export function externalFindingsOf(
  id: string,
  external: readonly ExternalFinding[],
  repo: string,
  layout: Layout,
  files: Source['files'],
): JudgedBuild['findings'] {
  const folder = `${buildFolder(id, layout)}/`;
  return external
    .flatMap((found) => {
      const path = pathBelow(repo, found.path);
      const file = path?.startsWith(folder) === true ? path.slice(folder.length) : '';
      // A scanner may name what is no file of the build, and no path at all.
      if (!isFilePath(file) || !files.some((one) => one.path === file)) return [];
      const { level, line } = found;
      return [{ level, code: 'external', file, line, message: describeExternal(found) }];
    })
    .slice(0, MAX_LISTED);
}

/**
 * Asks a program about a build: it is started in a new folder with the path of the build there, and prints SARIF 2.1.0. Of GuardDog,
 * which prints JSON, the gate knows the options.
 * @param program name or path, no shell
 * @param files of a valid build
 * @returns `undefined` when it did not start, failed, took too long, or printed something else
 */
export async function askScanner(
  program: string,
  id: string,
  files: Source['files'],
  layout: Layout,
  seconds: number = SCANNER_SECONDS,
): Promise<JudgedBuild['findings'] | undefined> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'stackyard-scanner-')));
  const [cwd, home, folder] = [join(root, 'work'), join(root, 'home'), buildFolder(id, layout)];
  try {
    mkdirSync(home);
    mkdirSync(join(cwd, folder), { recursive: true });
    for (const { path, bytes } of files) {
      if (bytes === undefined || !isFilePath(path)) continue;
      const file = join(cwd, folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, { mode: 0o644 });
    }
    const env = { ...passedVariables(process.env), HOME: home, TMPDIR: home };
    const run = async (args: readonly string[]): Promise<string> => {
      const { isOk, stdout } = await runProgram(program, args, { cwd, env }, seconds * 1_000);
      return isOk ? stdout : '';
    };
    if (basename(program) !== 'guarddog') {
      const log = parseSarif(Buffer.from(await run([folder])), program);
      return externalFindingsOf(id, log, cwd, layout, files);
    }
    const version = (await run(['--version'])).trim();
    const hasPython = files.some(({ path }) => path.endsWith('.py'));
    const found = new Map<string, JudgedBuild['findings'][number]>();
    for (const ecosystem of hasPython ? ['npm', 'pypi'] : ['npm']) {
      const text = await run([ecosystem, 'scan', folder, '--output-format=json']);
      const log = JSON.stringify(guarddogToSarif(text, version, folder));
      const parsed = parseSarif(Buffer.from(log), program);
      for (const one of externalFindingsOf(id, parsed, cwd, layout, files)) {
        found.set(JSON.stringify(one), one);
      }
    }
    return [...found.values()];
  } catch (error) {
    if (
      error instanceof FormatError ||
      error instanceof z.ZodError ||
      error instanceof SyntaxError
    ) {
      return undefined;
    }
    throw error;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Characters of text that a reviewer gets, and findings of it that are listed. */
const [REVIEW_LENGTH, MAX_REVIEWED] = [400_000, 20];
const TOKEN =
  /\b(?:gh[pousr]_|github_pat_|sk-|xox[abps]-|npm_|AKIA|eyJ)[\w./+-]{12,}|-----BEGIN [^]{0,4000}?-----END [^-]{0,60}-----/g;

/**
 * Asks a reviewer, such as a model, about a build: a command that gets the text of its files on standard input and prints SARIF 2.1.0.
 * What it finds is a comment for the admin: always `info`, and never part of the verdict or the record.
 * @param command program and arguments, separated by spaces; it gets variables whose names begin with `REVIEWER_`
 */
export async function askReviewer(
  command: string,
  id: string,
  files: Source['files'],
  layout: Layout,
  seconds: number = SCANNER_SECONDS,
): Promise<JudgedBuild['findings']> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'stackyard-reviewer-')));
  const own = Object.entries(process.env).filter(([name]) => name.startsWith('REVIEWER_'));
  const env = {
    ...passedVariables(process.env),
    ...Object.fromEntries(own),
    HOME: cwd,
    TMPDIR: cwd,
  };
  const texts = files.flatMap(({ path, bytes }) =>
    bytes === undefined || !isFilePath(path) || bytes.includes(0)
      ? []
      : [`== ${buildFolder(id, layout)}/${path} ==\n${Buffer.from(bytes).toString('utf8')}\n`],
  );
  const commentOf = (message: string): JudgedBuild['findings'][number] => {
    const secrets = own.map(([, value]) => value ?? '').filter((value) => value.length > 5);
    const plain = secrets.reduce((text, one) => text.replaceAll(one, '***'), message);
    return {
      level: 'info',
      code: 'reviewer',
      file: '',
      line: 0,
      message: plain.replaceAll(TOKEN, '***'),
    };
  };
  try {
    const [program = '', ...args] = command.trim().split(/\s+/);
    const input = texts.join('').slice(0, REVIEW_LENGTH);
    const { isOk, stdout } = await runProgram(program, args, { cwd, env, input }, seconds * 1_000);
    if (!isOk)
      return [commentOf(`The reviewer did not answer: it failed, or took over ${seconds} s`)];
    return externalFindingsOf(id, parseSarif(Buffer.from(stdout), program), cwd, layout, files)
      .slice(0, MAX_REVIEWED)
      .map(({ file, line, message }) => ({ ...commentOf(message), file, line }));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [commentOf('The reviewer printed no SARIF 2.1.0 of at most 2,000,000 characters')];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** A rule finds places in files, or has one text about the package. */
const Places = z.array(z.object({ location: z.string(), message: z.string().optional() }));
/** Rules that failed make it no report: what they would have found is unknown. */
const Report = z.object({
  results: z.record(z.string(), z.unknown()),
  errors: z.record(z.string(), z.never()).optional(),
});

/**
 * The log of GuardDog `version` about `folder`, which begins the paths: GuardDog names files below the folder that it reads.
 * @throws {Error} `text` is no report of GuardDog
 */
export function guarddogToSarif(text: string, version: string, folder: string): object {
  const base = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  const { results } = Report.parse(JSON.parse(text));
  const found = Object.entries(results).flatMap(([ruleId, places]) =>
    (Places.safeParse(places).data ?? []).map(({ location, message = '' }) => {
      const [, uri = location, line] = /^(.*):(\d{1,9})$/.exec(location) ?? [];
      const region = line === undefined ? {} : { region: { startLine: Number(line) } };
      return {
        ruleId,
        // What code can do is no accusation.
        level: ruleId.startsWith('capability-') ? 'note' : 'warning',
        message: { text: message },
        locations: [
          { physicalLocation: { artifactLocation: { uri: encodeURI(base + uri) }, ...region } },
        ],
      };
    }),
  );
  const tool = { driver: { name: 'GuardDog', version } };
  return { version: '2.1.0', runs: [{ tool, results: found }] };
}
