// What a module adds to the application: routes, their description, readiness, settings, migrations, start and stop. A
// feature of this project is a module. Installed modules fit without importing this file.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import type { Operations } from './http/docs.js';

export interface Module {
  /** Unique, such as `database` or `account`. */
  readonly name: string;
  /** All problems of its environment variables, before anything starts; the start ends with status 1 and the list. */
  checkSettings?(env: Env): readonly { readonly name: string; readonly message: string }[];
  /** Forward-only migrations; the module that is the database applies those of all modules. Opaque to this project. */
  readonly migrations?: readonly unknown[];
  /** Opens what it needs, before the server listens. A rejection ends the start with status 1. */
  start?(host: ModuleHost): void | Promise<void>;
  readonly routes?: readonly (Route | ModuleRoute)[];
  /** For GET /ready: fails by throwing or rejecting. */
  readonly checks?: Readonly<Record<string, () => unknown>>;
  /** After the last request was answered. */
  stop?(): void | Promise<void>;
}

type Env = Record<string, string | undefined>;

/** Routes of this project: a router, and what /openapi.json has of it. Handlers find JSON bodies in `c.get('body')`. */
export interface Route {
  /** What its paths start with, such as `/orders`. */
  readonly prefix: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a router of someone else does not know AppEnv
  readonly router: Hono<any>;
  readonly operations?: Operations;
}

/** Routes of an installed module, which read bodies themselves. */
export interface ModuleRoute {
  readonly prefix: string;
  /** For hosts of node:http; not used here. */
  readonly node: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
  /** `undefined` for paths that it does not have; rejects for what it does not answer. The URL has the prefix. */
  readonly fetch: (
    request: Request,
    info: { address?: string; requestId?: string; prefix: string },
  ) => Promise<Response | undefined>;
  /** OpenAPI 3.1: path items by their path below the prefix, and schemas of components. */
  readonly openapi?: { readonly paths: Record<string, object>; readonly schemas?: Record<string, object> };
}

export interface ModuleHost {
  readonly env: Env;
  readonly log: ModuleLog;
  /** The migrations of all modules, in the order of the list. */
  readonly migrations: readonly unknown[];
}

/** The log of the server. */
export type ModuleLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', LogLine>>;

interface LogLine {
  (message: string): void;
  (fields: object, message?: string): void;
}

/** The problems of the settings of all modules, such as `JWT_SECRET: Expected a value`. */
export function checkModules(modules: readonly Module[], env: Env): string[] {
  const problems = modules.flatMap((module) => module.checkSettings?.(env) ?? []);
  return problems.map(({ name, message }) => `${name}: ${message}`);
}

/**
 * Starts the modules one after the other, and returns what stops them in the reverse order. Where one fails, those that
 * have started are stopped, and its error is thrown.
 */
export async function startModules(modules: readonly Module[], env: Env, log: ModuleLog): Promise<() => Promise<void>> {
  const migrations = modules.flatMap((module) => module.migrations ?? []);
  const started: Module[] = [];
  const stop = async (): Promise<void> => {
    for (const module of started.splice(0).reverse()) {
      try {
        await module.stop?.();
      } catch (err) {
        log.error({ err }, `cannot stop module "${module.name}"`);
      }
    }
  };
  for (const module of modules) {
    try {
      await module.start?.({ env, log, migrations });
    } catch (cause) {
      await stop();
      throw new Error(`Cannot start module "${module.name}": ${textOf(cause)}`, { cause });
    }
    started.push(module);
  }
  return stop;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
