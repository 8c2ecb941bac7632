/** A project of stackyard/fastapi-api with a feature that fails in every way, and the lines of its log. */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';
import { SECRET, parseLines } from './starter-answers.ts';

export const ORIGIN = 'https://app.example';

/** A feature that fails in every way, added the way a user adds one. */
const PROBE_ROUTER = `
import asyncio
import time

from fastapi import APIRouter, HTTPException
from fastapi.responses import StreamingResponse

router = APIRouter(prefix="/probe")


@router.get("/teapot")
def teapot() -> None:
    raise HTTPException(418)


@router.get("/crash")
async def crash() -> None:
    raise RuntimeError("${SECRET}")


@router.get("/late")
async def late() -> StreamingResponse:
    async def parts():
        yield "partial"
        raise RuntimeError("${SECRET}")

    return StreamingResponse(parts())


@router.get("/blocking")
def blocking(seconds: float = 1) -> dict[str, bool]:
    time.sleep(seconds)
    return {"blocking": True}


@router.get("/slow")
async def slow(seconds: float = 1) -> dict[str, bool]:
    await asyncio.sleep(seconds)
    return {"slow": True}
`;

/** A line of the log. */
export interface LogEntry {
  readonly level: string;
  readonly requestId?: string;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly remoteAddress?: string;
  readonly exception?: string;
}

/** Returns the first line that is wanted. */
export function findLine(
  server: ServerProcess,
  isWanted: (entry: LogEntry) => boolean,
): LogEntry | undefined {
  return parseLines<LogEntry>(server).find(isWanted);
}

/** A copy of the project without its packages, with the feature `/probe`. */
export async function copyWithProbe(project: string): Promise<string> {
  const copy = await copyProject(project);
  await addProbe(copy);
  return copy;
}

async function copyProject(project: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'fastapi-api-'));
  await cp(project, copy, {
    recursive: true,
    filter: (path) => !/(?:\.venv|__pycache__|\.git)$/.test(path),
  });
  return copy;
}

/** Adds one file and one entry to the list of features. */
async function addProbe(copy: string): Promise<void> {
  await writeFile(join(copy, 'app/routers/probe.py'), PROBE_ROUTER);
  const file = join(copy, 'app/routers/__init__.py');
  const text = await readFile(file, 'utf8');
  const edited = text
    .replace('from app.routers import ', 'from app.routers import probe, ')
    .replace('ROUTERS = [', 'ROUTERS = [\n    probe.router,');
  await writeFile(file, edited);
}
