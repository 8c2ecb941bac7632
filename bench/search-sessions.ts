/** Measures search as a visitor has it: Chromium types into the field of a served page. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

export interface Session {
  /** From the first key to the first result, in milliseconds. */
  readonly first: number;
  /** From the last key to the last change of the results; 0 when it changed nothing. */
  readonly last: number;
  /** What all responses had, with their headers, the page and its scripts included. */
  readonly bytes: number;
  readonly requests: number;
  /** The text of the first result at the end. */
  readonly result: string;
}

export interface SessionOptions {
  readonly folder: string;
  /** Path of the page, which has a field `#q` and shows results as `.search-option`. */
  readonly page: string;
  readonly words: string;
  /** Whether the host compresses texts, as most do. */
  readonly compresses: boolean;
  /** Delay of each request in milliseconds, and 10 Mbit/s; without, none. */
  readonly latency?: number | undefined;
}

/** A person who types fast. */
const KEY_MS = 110;
/** From the key that goes to the field, or a click on it, to the first key of a word. */
const FOCUS_MS = 250;
const QUIET_MS = 1_500;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** A session with nothing in the cache; the visitor types a moment after going to the field. */
export async function measureSession(browser: Browser, options: SessionOptions): Promise<Session> {
  const { folder, compresses, words, latency } = options;
  // What the server sends: the browser does not report to the page what its workers load.
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = await serve(folder, compresses);
  server.on('connection', (socket) => sockets.add(socket));
  server.on('request', () => (requests += 1));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    if (latency !== undefined) {
      const speed = { downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
      await network.send('Network.emulateNetworkConditions', { offline: false, latency, ...speed });
    }
    await page.addInitScript(WATCH);
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/${options.page}`, { waitUntil: 'load' });
    await page.waitForTimeout(300);
    await page.locator('#q').focus();
    await page.waitForTimeout(FOCUS_MS);
    await page.locator('#q').pressSequentially(words, { delay: KEY_MS });
    await page.waitForFunction(
      `seen.changed !== undefined && performance.now() > Math.max(seen.changed, seen.lastKey) + ${QUIET_MS}`,
      undefined,
      { timeout: 120_000 },
    );
    const seen = (await page.evaluate('seen')) as Record<
      'firstKey' | 'lastKey' | 'first' | 'changed',
      number
    >;
    const found = page.locator('.search-option');
    const result = (await found.count()) === 0 ? 'none' : await found.first().textContent();
    const times = {
      first: seen.first - seen.firstKey,
      last: Math.max(0, seen.changed - seen.lastKey),
    };
    const bytes = [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
    return { ...times, bytes, requests, result: (result ?? '').slice(0, 40) };
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Debian's Chromium. */
export function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
  ];
  return chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args });
}

const WATCH = `
  globalThis.seen = {};
  addEventListener('input', () => {
    seen.firstKey ??= performance.now();
    seen.lastKey = performance.now();
  }, true);
  new MutationObserver(() => {
    const text = [...document.querySelectorAll('.search-option')].map((o) => o.textContent).join();
    if (text === seen.text) return;
    seen.text = text;
    seen.changed = performance.now();
    if (text !== '') seen.first ??= seen.changed;
  }).observe(document, { subtree: true, childList: true });
`;

async function serve(
  folder: string,
  compresses: boolean,
): Promise<ReturnType<typeof createServer>> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)];
    response.setHeader('Content-Type', type ?? 'application/octet-stream');
    response.setHeader('Cache-Control', 'public, max-age=60');
    const content = readFileSync(file);
    if (!compresses || type === undefined) {
      response.end(content);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync(content));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return server;
}
