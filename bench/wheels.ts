// A family of universes as local Python packages, and uv, which resolves them.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Family } from '../tests/client/universe-families.ts';

const UV_TIMEOUT_MS = 60_000;

export interface UvRun {
  readonly outcome: 'solved' | 'refuted' | 'gave up' | 'crashed';
  readonly ms: number;
  /** What it prints on standard error. */
  readonly text: string;
}

/** The path of uv: that of the variable UV, of PATH, or of a new environment in `folder`; else why not. */
export function findUv(folder: string): { readonly path: string } | { readonly problem: string } {
  for (const path of [process.env['UV'] ?? '', 'uv']) {
    if (path !== '' && spawnSync(path, ['--version']).status === 0) return { path };
  }
  const environment = join(folder, 'venv');
  try {
    execFileSync('python3', ['-m', 'venv', environment], { stdio: 'pipe' });
    execFileSync(join(environment, 'bin/pip'), ['install', '-q', 'uv'], { stdio: 'pipe' });
  } catch (error) {
    return { problem: (error instanceof Error ? error.message : String(error)).split('\n')[0]! };
  }
  return { path: join(environment, 'bin/uv') };
}

/** Writes `family` below `folder` as wheels that hold nothing but their metadata. */
export function writeWheels({ builds, requests }: Family, folder: string): void {
  const wheels = join(folder, 'wheels');
  mkdirSync(wheels, { recursive: true });
  for (const [id, versions] of Object.entries(builds)) {
    for (const [version, needs] of Object.entries(versions)) {
      const required = Object.entries(needs).map(
        ([other, range]) => `Requires-Dist: ${requirement(other, range)}`,
      );
      const metadata = ['Metadata-Version: 2.1', `Name: ${id}`, `Version: ${version}`, ...required];
      const info = `${id}-${version}.dist-info`;
      const files = {
        [`${info}/METADATA`]: strToU8(`${metadata.join('\n')}\n\n`),
        [`${info}/WHEEL`]: strToU8(
          'Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
        ),
        [`${info}/RECORD`]: strToU8(''),
      };
      writeFileSync(join(wheels, `${id}-${version}-py3-none-any.whl`), zipSync(files));
    }
  }
  const lines = requests.map(([id, range]) => requirement(id, range));
  writeFileSync(join(folder, 'requirements.in'), `${lines.join('\n')}\n`);
}

/** One run of uv as a whole process, with a cache that is kept in `folder`. */
export function runUv(uv: string, folder: string): UvRun {
  const args = ['pip', 'compile', '--offline', '--no-build', '--no-index', '-q'];
  const places = ['--find-links', join(folder, 'wheels'), '--cache-dir', join(folder, 'cache')];
  const started = performance.now();
  const ended = spawnSync(uv, [...args, ...places, join(folder, 'requirements.in')], {
    encoding: 'utf8',
    timeout: UV_TIMEOUT_MS,
  });
  const ms = performance.now() - started;
  const text = ended.stderr;
  if (ended.status === 0) return { outcome: 'solved', ms, text };
  if (ended.status === 1 && text.includes('No solution found')) {
    return { outcome: 'refuted', ms, text };
  }
  if (ended.status === null) {
    const isLate = ended.signal === 'SIGTERM' && ms >= UV_TIMEOUT_MS;
    return { outcome: isLate ? 'gave up' : 'crashed', ms, text };
  }
  throw new Error(`uv ended with ${ended.status}: ${text}`);
}

function requirement(id: string, range: string): string {
  return range === '*' ? id : `${id} ${range.replaceAll(' ', ',')}`;
}
