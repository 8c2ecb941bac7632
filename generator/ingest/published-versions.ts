/** Which versions are published, with size and digest: from the documents of versions and owners of a generated index. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryParseDay } from '../../format/statement/day.ts';
import { parseDocument } from '../../format/document/document.ts';
import { VersionDocument } from '../../format/index/version-document.ts';
import { REGISTRY_PATH, ownerPath, versionPath } from '../../format/index/layout.ts';
import { OwnerInfo } from '../../format/index/registry-info.ts';
import { GeneratorError } from '../errors.ts';

export interface PublishedVersion {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Day of UTC of the publication. */
  readonly day: number;
}

/** Versions and owners that are kept; a log of a large registry may name more, which are read again. */
const MAX_KEPT = 20_000;

export class PublishedVersions {
  readonly #index: string;
  readonly #versions = new Map<string, PublishedVersion | undefined>();
  readonly #accounts = new Map<string, number | undefined>();

  /**
   * @param index folder of the index
   * @throws {GeneratorError} `ERR_INDEX` when there is none
   */
  constructor(index: string) {
    if (!existsSync(join(index, REGISTRY_PATH))) {
      throw new GeneratorError('ERR_INDEX', `Cannot read "${index}": it is no index`, {
        hint: 'make it with "stackyard-registry generate", or name its folder with --index',
      });
    }
    this.#index = index;
  }

  /** @param id a build id, which with a version is also a path below the index */
  find(id: string, version: string): PublishedVersion | undefined {
    const key = `${id}@${version}`;
    if (!this.#versions.has(key)) {
      if (this.#versions.size >= MAX_KEPT) this.#versions.clear();
      this.#versions.set(key, this.#read(id, version));
    }
    return this.#versions.get(key);
  }

  /** The numeric account of an owner at the code host, when it is known. */
  accountOf(owner: string): number | undefined {
    if (!this.#accounts.has(owner)) {
      if (this.#accounts.size >= MAX_KEPT) this.#accounts.clear();
      const path = join(this.#index, ownerPath(owner));
      const found = existsSync(path)
        ? parseDocument(OwnerInfo, readFileSync(path), path)
        : undefined;
      this.#accounts.set(owner, found?.account_id);
    }
    return this.#accounts.get(owner);
  }

  countOwners(): number {
    const folder = join(this.#index, 'owners');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  }

  #read(id: string, version: string): PublishedVersion | undefined {
    const path = join(this.#index, versionPath(id, version));
    if (!existsSync(path)) return undefined;
    const { integrity, size, published_at } = parseDocument(
      VersionDocument,
      readFileSync(path),
      path,
    );
    return { id, version, integrity, size, day: tryParseDay(published_at) ?? 0 };
  }
}
