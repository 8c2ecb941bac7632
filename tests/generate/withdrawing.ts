/** A registry from which versions are withdrawn or taken down, whose incremental index is compared with that of a full run. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { parseLogEntry, type LogEntry } from '../../format/log/entry.ts';
import { parseBundle } from '../../format/log/bundle.ts';
import { noteSigner } from '../../format/log/note-key.ts';
import { readFromFolder } from '../../generator/log/published-log.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import type { Report } from '../../generator/pipeline/report.ts';
import { GitFixture, temporaryFolder, type Files } from './git-fixture.ts';
import { readTree } from './index-reader.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

export class Withdrawing {
  git: GitFixture = new GitFixture();
  /** Has the index and the state. */
  readonly folder: string = temporaryFolder();
  readonly out: string = join(this.folder, 'index');
  readonly #pages: boolean;

  /** @param pages whether the index has them */
  constructor(pages = false) {
    this.#pages = pages;
  }

  generate(out: string = this.out): Promise<Report> {
    const { folder: repo } = this.git;
    const published = readFromFolder(this.out);
    return generate({ repo, out, threads: 1, signers: [SIGNER], pages: this.#pages, published });
  }

  /** Commits and generates. */
  async publish(...commits: Files[]): Promise<void> {
    for (const files of commits) this.git.commit(files);
    await this.generate();
  }

  /** The same; the index is the one that a full run makes. */
  async run(...commits: Files[]): Promise<string[]> {
    for (const files of commits) this.git.commit(files);
    const { problems } = await this.generate();
    const whole = join(temporaryFolder(), 'index');
    await this.generate(whole);
    // oxlint-disable-next-line vitest/no-standalone-expect
    expect(readTree(this.out)).toEqual(readTree(whole));
    return problems.failing.map(({ finding: { code, args } }) => `${code} ${args['problem']}`);
  }

  has(...paths: string[]): boolean[] {
    return paths.map((path) => existsSync(join(this.out, path)));
  }

  /** Those of the log, which has fewer than a tile holds, without the maps. */
  entries(): LogEntry[] {
    const parts = Object.keys(readTree(this.out)).flatMap((path) => {
      const width = /^log\/tile\/entries\/.*\.p\/(\d+)$/.exec(path)?.[1];
      return width === undefined ? [] : [{ path, width: Number(width) }];
    });
    const { path, width } = parts.toSorted((x, y) => y.width - x.width)[0]!;
    const entries = parseBundle(readFileSync(join(this.out, path)), width);
    return entries.map((one) => parseLogEntry(one)).filter(({ type }) => type !== 'map');
  }
}

/** The files below a folder that hold `marker`, also in what is compressed, and also in Base64 of it. */
export function holding(folder: string, marker: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
      return (
        plain.includes(marker) ||
        plain.includes(Buffer.from(marker).toString('base64').slice(0, -4))
      );
    });
}
