/** Starts the program of module-process.ts, and waits for it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface ProcessTask {
  readonly what: 'mail' | 'jobs';
  /** A file, or the URL of a database. */
  readonly sqlite?: string;
  readonly postgres?: string;
  readonly smtpUrl?: string;
  /** How many orders it makes, one after the other. */
  readonly orders: number;
  readonly leaseMs: number;
  /** Queues a job that kills its process. */
  readonly poison?: boolean;
  readonly nowOffsetMs?: number;
}

export interface ModuleProcess {
  readonly child: ChildProcess;
  /** Ends it, and resolves with its exit status; null after a kill. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  exit: Promise<number | null>;
}

/** Resolves once the module of the process has started, or the process has ended. */
export async function startModuleProcess(task: ProcessTask): Promise<ModuleProcess> {
  const folder = import.meta.dirname;
  const args = [
    '--import',
    join(folder, 'ts-names.ts'),
    join(folder, 'module-process.ts'),
    JSON.stringify(task),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit').then(([status]) => status as number | null);
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout!, 'data'), exit]);
  return {
    child,
    exit,
    end(signal) {
      child.kill(signal);
      return exit;
    },
  };
}
