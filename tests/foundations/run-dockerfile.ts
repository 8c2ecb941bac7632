/**
 * Carries out a Dockerfile without Docker: each stage is a folder, `RUN` runs in it on this machine's programs. Shows
 * that the commands work and that the last stage has what its `CMD` needs; not that the base images exist.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, relative } from 'node:path';
import { ignoreLines, ignoreRules, readDockerfile, sourcesIn } from './dockerfile.ts';
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
 * @param context the folder whose files it copies
 * @param folder an empty folder for the stages
 * @throws {Error} for an instruction that this does not know, and for a source that is not there or is ignored
 */
export function runDockerfile(context: string, folder: string, file = 'Dockerfile'): Image {
  const isIgnored = ignoreRules(ignoreLines(context, file));
  const stages = new Map<string, string>();
  let stage = '';
  let image: Image = { folder, env: {}, user: 'root', command: [], healthCheck: [] };
  /** Absolute paths are those of the stage. */
  const placed = (path: string): string =>
    isAbsolute(path) ? join(stage, path) : join(image.folder, path);
  for (const { instruction, rest, words } of readDockerfile(context, file)) {
    if (instruction === 'FROM') {
      stage = join(folder, `stage-${stages.size}`);
      stages.set(words[2] ?? 'last', stage);
      mkdirSync(stage);
      image = { folder: stage, env: {}, user: 'root', command: [], healthCheck: [] };
      if (rest.startsWith('python:')) image = { ...image, env: { PATH: pythonIn(folder, stage) } };
    } else if (instruction === 'WORKDIR') {
      image = { ...image, folder: placed(rest) };
      mkdirSync(image.folder, { recursive: true });
    } else if (instruction === 'COPY') {
      const from = /^--from=(\w+) /.exec(rest)?.[1];
      const [to = '', ...sources] = words.filter((word) => !word.startsWith('--')).reverse();
      for (const source of from === undefined ? sourcesIn(context, sources) : sources) {
        const origin = join(from === undefined ? context : (stages.get(from) ?? ''), source);
        if (from === undefined && isIgnored(source)) throw new Error(`"${source}" is ignored`);
        cpSync(origin, placed(to.endsWith('/') ? join(to, basename(source)) : to), {
          recursive: true,
          verbatimSymlinks: true,
          filter: (path) =>
            from !== undefined ||
            lstatSync(path).isDirectory() ||
            !isIgnored(relative(context, path)),
        });
      }
    } else if (instruction === 'RUN') {
      const env = { ...withoutOwners(folder), ...image.env };
      const command = rest.replaceAll(/(?<=\s)\/(?=\w)/g, `${stage}/`);
      execFileSync('sh', ['-ec', command], { cwd: image.folder, env, stdio: 'pipe' });
    } else if (instruction === 'ENV') {
      const pairs = words.map((word) => word.split(/=(.*)/s).slice(0, 2));
      image = { ...image, env: { ...image.env, ...(Object.fromEntries(pairs) as Image['env']) } };
    } else if (instruction === 'USER') {
      image = { ...image, user: rest };
    } else if (instruction === 'CMD') {
      image = { ...image, command: JSON.parse(rest) as string[] };
    } else if (instruction === 'HEALTHCHECK') {
      image = { ...image, healthCheck: JSON.parse(rest.slice(rest.indexOf('['))) as string[] };
    } else if (instruction !== 'EXPOSE' && instruction !== 'VOLUME') {
      throw new Error(`Cannot carry out "${instruction} ${rest}"`);
    }
  }
  return image;
}

/** The path of a stage with a Python of its own. */
function pythonIn(folder: string, stage: string): string {
  execFileSync('python3', ['-m', 'venv', join(stage, 'python')], { stdio: 'pipe' });
  return [join(stage, 'python/bin'), withoutOwners(folder)['PATH']].join(delimiter);
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
