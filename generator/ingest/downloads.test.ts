import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../format/statement/day.ts';
import { tryParseLine } from './downloads.ts';
import type { LogEntry } from './json-log.ts';

const DAY = dayNumber(2026, 11, 21)!;
const TARGET = '/builds/a/b/1.0.0.tgz';
const ENTRY: LogEntry = {
  day: DAY,
  address: '192.0.2.7',
  method: 'GET',
  target: TARGET,
  status: 200,
  bytes: 4096,
  agent: 'curl/8',
};
const COMMON = `192.0.2.7 - - [21/Nov/2026:09:30:00 +0000] "GET ${TARGET} HTTP/1.1" 200 4096`;
const COMBINED = `${COMMON} "-" "curl/8"`;

const CLOUDFLARE = {
  EdgeStartTimestamp: '2026-11-21T09:30:00Z',
  ClientIP: '192.0.2.7',
  ClientRequestMethod: 'GET',
  ClientRequestURI: TARGET,
  EdgeResponseStatus: 200,
  EdgeResponseBytes: 4096,
  ClientRequestUserAgent: 'curl/8',
};

describe('tryParseLine()', () => {
  it.each<[string, string | object, Partial<LogEntry>]>([
    ['common', COMMON, { agent: '' }],
    ['combined', COMBINED, {}],
    ['combined with more behind it', `${COMBINED} "203.0.113.9" 0.003`, {}],
    ['combined with a user name', COMBINED.replace('- -', '- Frank Müller'), {}],
    ['no byte count', COMBINED.replace('4096', '-'), { bytes: -1 }],
    [
      'a zone that makes it yesterday',
      COMBINED.replace('09:30:00 +0000', '00:30:00 +0100'),
      { day: DAY - 1 },
    ],
    [
      'a zone that makes it tomorrow',
      COMBINED.replace('09:30:00 +0000', '23:30:00 -0100'),
      { day: DAY + 1 },
    ],
    [
      'nginx JSON',
      {
        remote_addr: '192.0.2.7',
        time_iso8601: '2026-11-21T10:30:00+01:00',
        request: `GET ${TARGET} HTTP/1.1`,
        status: '200',
        body_bytes_sent: '4096',
        http_user_agent: 'curl/8',
      },
      {},
    ],
    [
      'Caddy JSON',
      {
        ts: 1795253400.25,
        request: {
          remote_ip: '10.0.0.1',
          client_ip: '192.0.2.7',
          method: 'GET',
          uri: TARGET,
          headers: { 'User-Agent': ['curl/8'] },
        },
        size: 4096,
        status: 200,
      },
      {},
    ],
    [
      'Fastly-like JSON',
      {
        timestamp: '2026-11-21T09:30:00Z',
        client_ip: '192.0.2.7',
        request_method: 'GET',
        url: TARGET,
        response_status: 200,
        response_body_size: 4096,
        request_user_agent: 'curl/8',
      },
      {},
    ],
    [
      'CloudFront JSON',
      {
        date: '2026-11-21',
        time: '09:30:00',
        'x-edge-location': 'FRA56-P1',
        'sc-bytes': '4096',
        'c-ip': '192.0.2.7',
        'cs-method': 'GET',
        'cs(Host)': 'd1.example.net',
        'cs-uri-stem': TARGET,
        'sc-status': '200',
        'cs(User-Agent)': 'curl/8',
        'timestamp(ms)': '1795253400250',
      },
      {},
    ],
    ['Cloudflare JSON with times of RFC 3339', CLOUDFLARE, {}],
    ['Cloudflare JSON', { ...CLOUDFLARE, EdgeStartTimestamp: 1795253400250000000 }, {}],
    [
      'JSON with the time of the common format',
      {
        remote_addr: '192.0.2.7',
        time_local: '21/Nov/2026:09:30:00 +0000',
        request: `GET ${TARGET} HTTP/2.0`,
        status: 200,
        body_bytes_sent: 4096,
        http_user_agent: 'curl/8',
      },
      {},
    ],
  ])('reads %s', (_, line, changes) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    expect(tryParseLine(text)).toEqual({ ...ENTRY, ...changes });
  });

  it.each([
    '',
    'garbage',
    '\u0000\u0001\u0002\u001f.tgz',
    TARGET,
    COMMON.slice(0, 60),
    COMMON.replace('200', '2x0'),
    COMMON.replace('4096', '4096x'),
    COMMON.replace('4096', '99999999999999999999'),
    COMMON.replace('Nov', 'Nox'),
    COMMON.replace('Nov', 'ovD'),
    COMMON.replace('21/', '31/'),
    COMMON.replace('09:30', '24:30'),
    COMMON.replace('+0000', '*0000'),
    COMMON.replace('"GET', "'GET"),
    COMMON.replace(' HTTP/1.1', ''),
    '{',
    '{"status":200}',
    '{"request":null,"status":200,"ts":"now","client_ip":[]}',
    `{"__proto__":{"status":200},"ts":1e400,"client_ip":"192.0.2.7"}`,
    '['.repeat(60_000),
    `{"a":${'['.repeat(60_000)}`,
    '#Fields: date time',
  ])('gives nothing for garbage: %j', (line) => {
    expect(tryParseLine(line)).toBeUndefined();
  });

  it('is not led astray by what a client writes', () => {
    const forged =
      '] [21/Nov/2020:09:30:00 +0000] \\x22GET /builds/x/y/9.9.9.tgz HTTP/1.1\\x22 200 9';
    expect(tryParseLine(COMBINED.replace('- -', `- ${forged}`))).toEqual(ENTRY);
    // Apache escapes a quote with a backslash: then the first quote ends no time, and nothing is read.
    expect(
      tryParseLine(
        COMBINED.replace('- -', '- x [21/Nov/2026:09:30:00 +0000]\\"GET / HTTP/1.1\\" 200 1'),
      ),
    ).toBeUndefined();
    const agent = `x\\" 200 1 \\"y\\x0a${COMMON.replace('GET', 'PUT')}`.replaceAll('"GET', 'GET');
    const read = tryParseLine(COMBINED.replace('curl/8', agent.replaceAll(/(?<!\\)"/g, '\\"')));
    expect(read).toMatchObject({ method: 'GET', target: TARGET, status: 200, bytes: 4096 });
    // A quote in the target is escaped too, and what follows it belongs to the target.
    const target = `${TARGET}?\\" 200 1`;
    expect(tryParseLine(COMBINED.replace(TARGET, target))).toEqual({ ...ENTRY, target });
  });

  it('throws nothing, whatever the line', () => {
    const pieces = fc.constantFrom(
      COMBINED,
      '{"a":1}',
      '"',
      '[',
      ']',
      '\t',
      ' ',
      '#Fields: ',
      '\\',
      '-',
      '{',
    );
    const lines = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }).map((p) => p.join(''));
    const read = fc.property(lines, (line) => {
      expect(() => tryParseLine(line)).not.toThrow();
    });
    fc.assert(read, { numRuns: 2_000 });
  });
});
