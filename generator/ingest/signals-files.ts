/** The files below `signals/` in a registry's working tree, each replaced as a whole. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import {
  SIGNALS_FOLDER,
  signalsFileAt,
  signalsPath,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import { NO_SIGNALS, Signals } from '../../format/registry/signals.ts';
import { layoutOf } from '../config.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

export class SignalsFiles {
  readonly #repo: string;
  readonly #layout: Layout;

  /** @param repo top folder of the working tree */
  constructor(repo: string) {
    [this.#repo, this.#layout] = [repo, layoutOf(repo)];
  }

  /**
   * The signals of a build; none when there is no file.
   * @throws {GeneratorError} `ERR_SIGNALS` for a file that is no signals file
   */
  read(id: string): Signals {
    const path = this.#pathOf(id);
    const file = join(this.#repo, path);
    if (!existsSync(file)) return NO_SIGNALS;
    try {
      return parseDocument(Signals, readFileSync(file), `"${path}"`);
    } catch (cause) {
      if (!(cause instanceof StackyardError)) throw cause;
      throw new GeneratorError('ERR_SIGNALS', cause.message, {
        cause,
        hint: `restore the file: git checkout -- ${path}`,
      });
    }
  }

  /** Writes the signals of a build if they differ from the file; answers whether they did. */
  write(id: string, signals: Signals): boolean {
    const text = canonicalJson(signals);
    const file = join(this.#repo, this.#pathOf(id));
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
    writeWhole(file, text);
    return true;
  }

  /** Ids of the builds that have a file, sorted. */
  ids(): string[] {
    const { root } = this.#layout;
    const room = `${root}${SIGNALS_FOLDER}`;
    const folder = join(this.#repo, room);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .flatMap((name) => {
        const file = signalsFileAt(`${room}/${name.replaceAll('\\', '/')}`, root);
        return file?.kind === 'signals' ? [file.id] : [];
      })
      .sort();
  }

  #pathOf(id: string): string {
    return signalsPath(id, 'signals', this.#layout);
  }
}
