/**
 * Reads git objects in bulk through one `git cat-file`, whose output looks like
 *
 *     <oid> blob 12\n<12 bytes>\n        <name> missing\n
 *
 * Requests are pipelined; results arrive in order. git collects the objects of one write of requests, up to the command
 * `flush`, and writes them together.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { GeneratorError } from '../errors.ts';
import { MAPPED_PACKS, gitEnvironment } from './run-git.ts';

/** Bytes that a group of reads may still take; an object that is larger is skipped, not kept. */
interface ReadBudget {
  left: number;
}

interface GitObject {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
  /** Absent when the object did not fit into the budget. */
  readonly bytes: Buffer | undefined;
}

interface Request {
  readonly budget: ReadBudget | undefined;
  /** Only the size is asked for. */
  readonly isInfo: boolean;
  readonly onObject: (object: GitObject | undefined) => void;
  readonly onError: (error: Error) => void;
}

interface ReaderOptions {
  /**
   * Whether git may map its packs as a whole. Objects all over a pack that is larger than the mapped part are read three times as
   * fast then, and the process has the size of the packs.
   */
  readonly mapsAll?: boolean;
}

const SHARED_BYTES = 262_144;

export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Request[] = [];
  #header = '';
  /** What is left of the memory that small objects share. */
  #shared: Buffer = Buffer.alloc(0);
  #body: { readonly object: GitObject; read: number } | undefined;
  #stderr = '';
  #unsent = '';

  constructor(folder: string, options: ReaderOptions = {}) {
    const settings = options.mapsAll ? [] : MAPPED_PACKS;
    this.#child = spawn('git', [...settings, 'cat-file', '--batch-command', '--buffer'], {
      cwd: folder,
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#child.stdin.on('error', (error) => this.#fail(error));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('close', () => {
      const isOld = this.#stderr.includes('batch-command');
      const problem = isOld ? 'git 2.36 or newer is needed' : this.#stderr.trim() || 'git ended';
      this.#fail(new Error(problem));
    });
  }

  /**
   * Reads one object.
   * @param name an object id, or `<tree id>:<path>`; must not hold a newline
   * @returns `undefined` when there is no such object
   * @throws {GeneratorError} `ERR_GIT` when git ends
   */
  async read(name: string, budget?: ReadBudget): Promise<GitObject | undefined> {
    const [object] = await this.readAll([name], budget);
    return object;
  }

  /** Reads several objects, which share the budget, like `read`. */
  readAll(
    names: readonly string[],
    budget?: ReadBudget,
  ): Promise<readonly (GitObject | undefined)[]> {
    return this.#ask('contents', names, budget);
  }

  /** The objects without their bytes, which git does not read. */
  describeAll(names: readonly string[]): Promise<readonly (GitObject | undefined)[]> {
    return this.#ask('info', names, undefined);
  }

  #ask(
    command: 'contents' | 'info',
    names: readonly string[],
    budget: ReadBudget | undefined,
  ): Promise<readonly (GitObject | undefined)[]> {
    const isInfo = command === 'info';
    if (names.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const objects: (GitObject | undefined)[] = [];
      const onObject = (object: GitObject | undefined): void => {
        if (objects.push(object) === names.length) resolve(objects);
      };
      for (const _ of names) this.#waiting.push({ budget, isInfo, onObject, onError: reject });
      // The names that are requested in one turn of the event loop go to git in one write.
      if (this.#unsent === '') setImmediate(() => this.#send());
      this.#unsent += names.map((name) => `${command} ${name}\n`).join('');
    });
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }

  #send(): void {
    this.#child.stdin.write(`${this.#unsent}flush\n`);
    this.#unsent = '';
  }

  #take(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      if (this.#body === undefined) {
        const end = data.indexOf(0x0a, at);
        this.#header += data.toString('latin1', at, end < 0 ? data.length : end);
        if (end < 0) return;
        at = end + 1;
        this.#begin(this.#header);
        this.#header = '';
        continue;
      }
      const body = this.#body;
      const { size, bytes } = body.object;
      // The body ends with a newline of git's own.
      const step = Math.min(data.length - at, size + 1 - body.read);
      if (bytes !== undefined) data.copy(bytes, body.read, at, at + step);
      body.read += step;
      at += step;
      if (body.read < size + 1) continue;
      this.#body = undefined;
      this.#waiting.shift()?.onObject(body.object);
    }
  }

  #begin(header: string): void {
    const match = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(header);
    if (match === null) {
      this.#waiting.shift()?.onObject(undefined);
      return;
    }
    const [, oid = '', type = ''] = match;
    const size = Number(match[3]);
    if (this.#waiting[0]?.isInfo === true) {
      this.#waiting.shift()?.onObject({ oid, type, size, bytes: undefined });
      return;
    }
    const budget = this.#waiting[0]?.budget;
    const fits = budget === undefined || size <= budget.left;
    if (budget !== undefined && fits) budget.left -= size;
    const bytes = fits ? this.#allocate(size) : undefined;
    this.#body = { object: { oid, type, size, bytes }, read: 0 };
  }

  /** Objects that are read one after the other are mostly dropped together: few large pieces cost less than many. */
  #allocate(size: number): Buffer {
    if (size > SHARED_BYTES / 8) return Buffer.allocUnsafeSlow(size);
    if (size > this.#shared.length) this.#shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
    const bytes = this.#shared.subarray(0, size);
    this.#shared = this.#shared.subarray(size);
    return bytes;
  }

  #fail(cause: Error): void {
    for (const request of this.#waiting.splice(0)) {
      request.onError(
        new GeneratorError('ERR_GIT', `Cannot read objects: ${cause.message}`, { cause }),
      );
    }
  }
}
