/** `ingest downloads` over logs that are larger than the memory that it may take. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { logLine, makeIndex } from './ingest-fixture.ts';

const INGEST = join(import.meta.dirname, '../../generator/main.ts');

/**
 * What is read, and the bounds in megabytes of resident memory, of which the program itself takes 110. To hold the
 * input would exceed them.
 */
const { megabytes, bound, blocks, blocksBound } = {
  megabytes: 400,
  bound: 300,
  blocks: 100,
  blocksBound: 400,
};

describe('a log of any size', () => {
  /** Peak resident megabytes of a run. */
  async function peakOf(
    log: string,
  ): Promise<{ status: number | null; peak: number; out: string }> {
    // On Linux, `maxRSS` of a child begins with that of its parent; the peak in /proc does not.
    const watch = `import { readFileSync } from 'node:fs';
process.on('exit', () => {
  let peak = process.resourceUsage().maxRSS;
  try {
    peak = /^VmHWM:\\s*(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  } catch {}
  process.stderr.write('peak ' + peak);
});`;
    const preload = `data:text/javascript,${encodeURIComponent(watch)}`;
    const folder = temporaryFolder();
    const index = makeIndex({ 'a/x': ['1.0.0'] });
    const args = ['--import', preload, INGEST, 'ingest', 'downloads', log, '--json'];
    const child = spawn(process.execPath, [...args, '--repo', folder, '--index', index]);
    let [out, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [status] = (await once(child, 'close')) as [number | null];
    // Nothing else is printed, such as a warning about listeners.
    const peak = /^(?:warning: Log .* were not read\n)?peak (\d+)$/.exec(errors)?.[1];
    expect([errors, peak]).toEqual([errors, expect.any(String)]);
    return { status, peak: Number(peak) / 1024, out };
  }

  async function pack(chunks: Iterable<string>): Promise<string> {
    const file = join(temporaryFolder(), 'access.log.gz');
    await pipeline(Readable.from(chunks), createGzip({ level: 1 }), createWriteStream(file));
    return file;
  }

  function* repeat(text: string, count: number): Generator<string> {
    const block = text.repeat(Math.ceil(1_000_000 / text.length));
    for (let at = 0; at < count; at += 1) yield block;
  }

  it.each([
    ['without a newline', 'x.tgz'],
    ['of lines about tarballs that do not exist', logLine({ id: 'no/such' })],
  ])('%s takes bounded memory', async (_, text) => {
    const log = await pack(repeat(text, megabytes));
    const { status, peak } = await peakOf(log);
    expect(status).toBe(0);
    expect(peak).toBeLessThan(bound);
  });

  it('with only new targets, agents and clients takes bounded memory', async () => {
    function* lines(): Generator<string> {
      for (let block = 0; block < blocks; block += 1) {
        let text = '';
        for (let at = 0; at < 5_000; at += 1) {
          const n = block * 5_000 + at;
          const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
          text += logLine({ address, agent: `agent ${n}` }).replace('.tgz', `.tgz?${n}`);
        }
        yield text;
      }
    }
    const { status, peak, out } = await peakOf(await pack(lines()));
    expect(status).toBe(0);
    expect(out).toContain(`"download": ${blocks * 5_000}`);
    expect(peak).toBeLessThan(blocksBound);
  });
});
