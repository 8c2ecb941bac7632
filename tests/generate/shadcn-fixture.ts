/** A registry whose index has items for shadcn. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import type { ShadcnItem } from '../../generator/pipeline/shadcn-item.ts';
import type { Files } from './git-fixture.ts';
import { GitFixture, temporaryFolder } from './git-fixture.ts';
import { expectWholeIndex, readTree } from './index-reader.ts';

export const BASE = 'https://registry.example/main';

/** A registry with items for shadcn, and its index. */
export class ShadcnRegistryFixture {
  readonly git: GitFixture = new GitFixture();
  readonly out: string = join(temporaryFolder(), 'index');

  constructor(config: object = { base_url: `${BASE}/`, shadcn: true, site: false }) {
    this.git.commit({ 'registry.config.json': JSON.stringify(config) });
  }

  has(path: string): boolean {
    return existsSync(join(this.out, path));
  }

  item(name: string): ShadcnItem {
    return JSON.parse(readFileSync(join(this.out, `r/${name}.json`), 'utf8')) as ShadcnItem;
  }

  names(): string[] {
    const text = readFileSync(join(this.out, 'r/registry.json'), 'utf8');
    return (JSON.parse(text) as { items: ShadcnItem[] }).items.map(({ name }) => name);
  }
}

/** Commits and generates; the incremental index equals a full one. */
export async function commitTo(
  { git, out }: ShadcnRegistryFixture,
  ...files: Files[]
): Promise<void> {
  git.commit(Object.assign({}, ...files) as Files);
  const report = await generate({ repo: git.folder, out, threads: 1 });
  expectWholeIndex(out);
  expect(report.written + report.unchanged).toBe(Object.keys(readTree(out)).length);
  const full = join(temporaryFolder(), 'full');
  await generate({ repo: git.folder, out: full, full: true, threads: 1 });
  expect(readTree(out)).toEqual(readTree(full));
  rmSync(full, { recursive: true });
}
