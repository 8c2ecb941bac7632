/**
 * Carries out a Dockerfile without Docker: each stage is a folder, `RUN` runs in it on this machine's programs. Shows
 * that the commands work and that the last stage has what its `CMD` needs; not that the base images exist.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, relative } from 'node:path';
import { projectEnvironment } from './our-registry.ts';

export interface Image {
  /** The working directory of the last stage. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  /** What the image runs, and what finds out whether that works. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/**
 * @param context the project
 * @param folder an empty folder for the stages
 * @throws {Error} for an instruction that this does not know, and for a source that `.dockerignore` leaves out
 */
export function runDockerfile(context: string, folder: string): Image {
  const lines = readLines(context, '.dockerignore');
  const included = lines.flatMap((line) => /^!(.*)/.exec(line)?.[1] ?? []);
  const isLeftOut = (path: string): boolean => lines.includes(relative(context, path));
  const stages = new Map<string, string>();
  let stage = '';
  let image: Image = { folder, env: {}, user: 'root', command: [], healthCheck: [] };
  for (const line of readLines(context, 'Dockerfile')) {
    const [instruction = '', rest = ''] = line.split(/ (.*)/s);
    const words = rest.split(/\s+/);
    if (instruction === 'FROM') {
      stage = join(folder, `stage-${stages.size}`);
      stages.set(words[2] ?? 'last', stage);
      image = { folder: stage, env: {}, user: 'root', command: [], healthCheck: [] };
    } else if (instruction === 'WORKDIR') {
      image = { ...image, folder: join(stage, rest) };
      mkdirSync(image.folder, { recursive: true });
    } else if (instruction === 'COPY') {
      const from = /^--from=(\w+) /.exec(rest)?.[1];
      const [to = '', ...named] = words.filter((word) => !word.startsWith('--')).reverse();
      // Of a pattern with a star at its end, which may match nothing, the file without it.
      const sources = named.flatMap((name) => {
        const file = name.replace(/\*$/, '');
        return file === name || existsSync(join(context, file)) ? [file] : [];
      });
      for (const source of sources) {
        if (from === undefined && !included.some((one) => `${source}/`.startsWith(`${one}/`))) {
          throw new Error(`.dockerignore leaves out "${source}"`);
        }
        const origin = from === undefined ? context : (stages.get(from) ?? '');
        const target = to.endsWith('/') ? join(to, basename(source)) : to;
        cpSync(join(origin, source), join(image.folder, target), {
          recursive: true,
          verbatimSymlinks: true,
          filter: (path) => !isLeftOut(path),
        });
      }
    } else if (instruction === 'RUN') {
      const env = { ...withoutOwners(folder), ...image.env };
      execFileSync('sh', ['-ec', rest], { cwd: image.folder, env, stdio: 'pipe' });
    } else if (instruction === 'ENV') {
      const [name = '', value = ''] = rest.split('=');
      image = { ...image, env: { ...image.env, [name]: value } };
    } else if (instruction === 'USER') {
      image = { ...image, user: rest };
    } else if (instruction === 'CMD') {
      image = { ...image, command: JSON.parse(rest) as string[] };
    } else if (instruction === 'HEALTHCHECK') {
      image = { ...image, healthCheck: JSON.parse(rest.slice(rest.indexOf('['))) as string[] };
    } else if (instruction !== 'EXPOSE') {
      throw new Error(`Cannot carry out "${line}"`);
    }
  }
  return image;
}

/** Lines without comments; continued ones as one. */
function readLines(context: string, file: string): string[] {
  const text = readFileSync(join(context, file), 'utf8').replaceAll(/\\\n\s*/g, '');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The user that runs the tests may have no right to give files away. */
function withoutOwners(folder: string): NodeJS.ProcessEnv {
  const programs = join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'chown'), '#!/bin/sh\n');
  chmodSync(join(programs, 'chown'), 0o755);
  const env = projectEnvironment();
  return { ...env, PATH: `${programs}${delimiter}${env['PATH']}` };
}
