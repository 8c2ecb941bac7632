// The module: its settings, its start and stop, and the removal of what nothing refers to.

import { randomUUID } from 'node:crypto';
import { type Authenticate, createRoutes, type Page, type User } from '../module-routes/index.js';
import { createSql } from '../sql/index.js';
import { KNOWN_TYPES } from './content.js';
import { createFileTable, uploadsMigrations, type FileTable, type StoredFile } from './files.js';
import { openapi } from './openapi.js';
import { type Limits, removeFile, uploadRoutes } from './routes.js';
import { openBucket } from './s3.js';
import { openFolder, type Storage } from './storage.js';

export interface UploadsOptions {
  /** That of the build with the tag `database`. */
  readonly database: Parameters<typeof createSql>[0];
  /** That of the build with the tag `auth`. */
  readonly authenticate: Authenticate;
  /** Who may read a file; `user` is absent in a request without a login. Default: its owner. */
  readonly mayRead?: (user: User | undefined, file: StoredFile) => boolean | Promise<boolean>;
  /** The time in milliseconds, for tests. */
  readonly now?: () => number;
}

type Env = Readonly<Record<string, string | undefined>>;
type Log = { info(fields: object, message: string): void; error(fields: object, message: string): void };

/** A `Module` of src/module.ts in a foundation. */
export type UploadsModule = ReturnType<typeof createUploadsModule>;

/** How many of each were removed. */
export type Swept = Record<'unfinished' | 'filesWithoutRow' | 'rowsWithoutFile', number>;

/** An upload may take this long. What is younger is never removed: it may be in use. */
const GRACE_MS = 3_600_000;
const SWEEP_PAGE = 1000;
const DEFAULTS = {
  UPLOADS_DIR: './data/uploads',
  UPLOADS_MAX_BYTES: '10485760',
  UPLOADS_USER_BYTES: '1073741824',
  UPLOADS_TYPES: 'image/png,image/jpeg,image/gif,image/webp,image/avif,application/pdf,text/plain',
};

interface Started {
  readonly limits: Limits;
  readonly files: FileTable;
  readonly storage: Storage;
  readonly log: Log;
  /** Of the database; the storage has another one where it is not the storage of this database. */
  readonly storeId: string;
}

let current: Started | undefined;

function started(): Started {
  if (current) return current;
  throw new Error('Cannot use uploads before the start: put "uploadsModule" into "modules" of src/modules.ts');
}

/** Files of users, below `/files`. Opens nothing before the start. */
export function createUploadsModule({ database, authenticate, mayRead = isOwner, now = Date.now }: UploadsOptions) {
  const open = () => ({ ...started(), authenticate, mayRead, now });
  let timer: ReturnType<typeof setInterval> | undefined;
  let sweeping: Promise<Swept> | undefined;

  /**
   * Removes what was left by uploads that ended in the middle, and rows and files of which the other half is missing.
   */
  function sweepOnce(): Promise<Swept> {
    sweeping ??= sweep(started(), now()).finally(() => (sweeping = undefined));
    return sweeping;
  }

  return {
    name: 'uploads' as const,
    migrations: [uploadsMigrations],
    checkSettings,
    async start({ env, log }: { readonly env: Env; readonly log: Log }): Promise<void> {
      const storage = await openStorage(env);
      const files = createFileTable(createSql(database));
      const storeId = await files.storeId(randomUUID());
      const [row] = await files.ids('', 1);
      // A storage without a mark is new, unless there are files: then it is not the one that has them.
      const mark = await storage.mark(row ? undefined : storeId);
      current = { files, storage, log, storeId, limits: readLimits(env) };
      if (mark !== storeId) log.error({ mark: mark ?? null, expected: storeId }, OTHER_STORE);
      const run = (): void => void sweepOnce().catch((err: unknown) => log.error({ err }, 'uploads: the sweep failed'));
      timer = setInterval(run, GRACE_MS);
      timer.unref();
    },
    checks: { uploads: () => started().storage.check() },
    routes: [{ prefix: '/files', ...createRoutes(uploadRoutes(open)), openapi }],
    async stop(): Promise<void> {
      clearInterval(timer);
      await sweeping?.catch(() => {});
      const { storage } = started();
      current = undefined;
      await storage.close();
    },
    sweep: sweepOnce,
  };
}

const OTHER_STORE =
  'uploads: the storage is not the one that this database belongs to, so nothing is removed from it. Correct ' +
  'UPLOADS_DIR or UPLOADS_S3_...; where this storage is right, write "expected" into its file "store-id"';

const isOwner: NonNullable<UploadsOptions['mayRead']> = (user, file) => user?.id === file.userId;

type UserId = number | string;

/** The files of a user, newest first. */
export async function filesOf(user: UserId | { readonly id: UserId }, page?: Page): Promise<StoredFile[]> {
  return (await started().files.list(String(typeof user === 'object' ? user.id : user), page)).files;
}

/** Removes all files of a user: call it where an account was deleted. */
export async function deleteUploadsOf(userId: UserId): Promise<void> {
  const { files, storage } = started();
  for (const file of await files.removeOf(String(userId))) await storage.remove(file);
}

/** A file and its bytes by its id, whoever owns it. */
export async function openFile(
  id: string,
): Promise<{ readonly file: StoredFile; readonly bytes: ReadableStream<Uint8Array> } | undefined> {
  const { files, storage } = started();
  const file = await files.find(id);
  const bytes = file && (await storage.read(id, 0, file.size - 1));
  return file && bytes && { file, bytes };
}

/** Removes a file, whoever owns it. Returns whether it was there. */
export function deleteFile(id: string): Promise<boolean> {
  return removeFile(started(), id);
}

async function sweep({ files, storage, storeId, log }: Started, now: number): Promise<Swept> {
  const swept: Swept = { unfinished: 0, filesWithoutRow: 0, rowsWithoutFile: 0 };
  if ((await storage.mark()) !== storeId) return swept;
  const oldest = now - GRACE_MS;
  for (let after = ''; ;) {
    const parts = await storage.list('incoming', after, SWEEP_PAGE);
    for (const id of parts) if (await storage.removeOlder('incoming', id, oldest)) swept.unfinished++;
    after = parts[SWEEP_PAGE - 1] ?? '';
    if (after === '') break;
  }
  for (let after = ''; ;) {
    // The rows last: a file whose row is written meanwhile has it then. The other way round the age decides.
    const stored = await storage.list('files', after, SWEEP_PAGE);
    const rows = await files.ids(after, SWEEP_PAGE);
    const full = [stored, rows.map(({ id }) => id)].filter(({ length }) => length === SWEEP_PAGE);
    const last = full.map((ids) => ids[SWEEP_PAGE - 1] ?? '').sort()[0];
    const isInPage = (id: string): boolean => last === undefined || id <= last;
    const known = new Map(rows.filter(({ id }) => isInPage(id)).map(({ id, at }) => [id, at]));
    const present = new Set(stored.filter(isInPage));
    for (const id of present) {
      if (!known.has(id) && (await storage.removeOlder('files', id, oldest))) swept.filesWithoutRow++;
    }
    for (const [id, at] of known) {
      if (at < oldest && !present.has(id) && (await removeFile({ files, storage }, id))) swept.rowsWithoutFile++;
    }
    if (last === undefined) break;
    after = last;
  }
  if (Object.values(swept).some(Boolean)) log.info({ swept }, 'uploads: removed what nothing refers to');
  return swept;
}

const read = (env: Env, name: keyof typeof DEFAULTS): string => env[name]?.trim() || DEFAULTS[name];

function readLimits(env: Env): Limits {
  const types = read(env, 'UPLOADS_TYPES')
    .split(',')
    .flatMap((type) => type.trim() || []);
  const bytes = (name: keyof typeof DEFAULTS): number => Number(read(env, name));
  return { maxBytes: bytes('UPLOADS_MAX_BYTES'), userBytes: bytes('UPLOADS_USER_BYTES'), types: new Set(types) };
}

function checkSettings(env: Env): { name: string; message: string }[] {
  const problems: { name: string; message: string }[] = [];
  for (const name of ['UPLOADS_MAX_BYTES', 'UPLOADS_USER_BYTES'] as const) {
    if (/^[1-9]\d{0,14}$/.test(read(env, name))) continue;
    problems.push({ name, message: 'Expected a number of bytes, such as 10485760' });
  }
  const unknown = [...readLimits(env).types].filter((type) => !KNOWN_TYPES.includes(type));
  if (unknown.length > 0) {
    const message = `Cannot tell ${unknown.join(', ')} by the content: use some of ${KNOWN_TYPES.join(', ')}`;
    problems.push({ name: 'UPLOADS_TYPES', message });
  }
  if (!env['UPLOADS_S3_BUCKET']?.trim()) return problems;
  for (const name of ['UPLOADS_S3_REGION', 'UPLOADS_S3_ACCESS_KEY_ID', 'UPLOADS_S3_SECRET_ACCESS_KEY'])
    if (!env[name]?.trim()) problems.push({ name, message: 'Expected a value, because UPLOADS_S3_BUCKET is set' });
  const endpoint = env['UPLOADS_S3_ENDPOINT']?.trim();
  if (endpoint && !/^https?:\/\/[^/?#\s]+\/?$/.test(endpoint)) {
    const message = 'Expected an address without a path, such as https://s3.example.com';
    problems.push({ name: 'UPLOADS_S3_ENDPOINT', message });
  }
  return problems;
}

async function openStorage(env: Env): Promise<Storage> {
  const valueOf = (name: string): string => env[name]?.trim() ?? '';
  const bucket = valueOf('UPLOADS_S3_BUCKET');
  if (bucket === '') {
    // Tests write nothing that stays, unless they choose a folder.
    const isTemporary = env['NODE_ENV'] === 'test' && valueOf('UPLOADS_DIR') === '';
    return openFolder(isTemporary ? undefined : read(env, 'UPLOADS_DIR'));
  }
  return openBucket({
    bucket,
    region: valueOf('UPLOADS_S3_REGION'),
    accessKeyId: valueOf('UPLOADS_S3_ACCESS_KEY_ID'),
    secretAccessKey: valueOf('UPLOADS_S3_SECRET_ACCESS_KEY'),
    sessionToken: valueOf('UPLOADS_S3_SESSION_TOKEN'),
    endpoint: valueOf('UPLOADS_S3_ENDPOINT'),
    prefix: valueOf('UPLOADS_S3_PREFIX'),
  });
}
