import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatExpectation, parseExpectations } from './expectations.ts';

function guide(...lines: readonly string[]): string {
  return `## Verify\n\n\`\`\`http expect\n${lines.join('\n')}\n\`\`\`\n`;
}

describe('parseExpectations()', () => {
  it('reads requests, what they expect and what they hand on', () => {
    const { requests, findings } = parseExpectations(
      guide(
        '# comment',
        'POST /auth/register {"email":"a,b","n":[1, 2]} -> 201, $token = token',
        '',
        'GET /auth/me [Authorization: Bearer $token] [Accept: */*] -> 200, user.tags = ["a","b"], ok = true',
        'GET /auth/me -> 401 missing_token',
      ),
    );
    expect(findings).toEqual([]);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/auth/register',
        headers: [],
        body: '{"email":"a,b","n":[1, 2]}',
        status: 201,
        members: [],
        captures: [{ name: 'token', path: 'token' }],
        line: 5,
      },
      {
        method: 'GET',
        path: '/auth/me',
        headers: [
          ['Authorization', 'Bearer $token'],
          ['Accept', '*/*'],
        ],
        status: 200,
        members: [
          { path: 'user.tags', value: '["a","b"]' },
          { path: 'ok', value: 'true' },
        ],
        captures: [],
        line: 7,
      },
      {
        method: 'GET',
        path: '/auth/me',
        headers: [],
        status: 401,
        code: 'missing_token',
        members: [],
        captures: [],
        line: 8,
      },
    ]);
    expect(formatExpectation(requests[2]!)).toBe('GET /auth/me -> 401 missing_token');
  });

  it.each([
    'GET http://evil.example/ -> 200',
    'GET //evil.example/ -> 200',
    'GET /\\evil.example/ -> 200',
    'GET /a/../../b -> 200',
    'GET /%2e%2e/b -> 200',
    'GET /a%0d%0aHost:x -> 200',
    'CONNECT /x -> 200',
    'TRACE /x -> 200',
    'get /x -> 200',
    'GET /x [Host: evil.example] -> 200',
    'GET /x [Transfer-Encoding: chunked] -> 200',
    'GET /x [X-Forwarded-For: 10.0.0.1] -> 200',
    'GET /x [A B: c] -> 200',
    'GET /x [A: ä] -> 200',
    'GET /x [A: b\u0001] -> 200',
    'GET /x [A: $none] -> 200',
    'GET /$none -> 200',
    'POST /x {"a":} -> 200',
    `POST /x "${'a'.repeat(5_000)}" -> 200`,
    'GET /x -> 99',
    'GET /x -> 600',
    'GET /x -> ok',
    'GET /x',
    'GET /x -> 200, a = b',
    'GET /x -> 200, $a',
  ])('refuses %s, with its line', (line) => {
    const { requests, findings } = parseExpectations(guide('GET /ok -> 200', line));
    expect(requests).toHaveLength(1);
    expect(findings).toMatchObject([{ code: 'expectations-line', place: { line: 5 } }]);
  });

  it('refuses too many requests, and fences that no page shows', () => {
    const many = parseExpectations(guide(...Array<string>(60).fill('GET / -> 200')));
    expect([many.requests.length, many.findings.length]).toEqual([50, 1]);
    for (const text of [
      `<div hidden>\n\n${guide('GET / -> 200')}\n</div>\n`,
      guide('GET / -> 200').replace(/```\n$/, ''),
    ])
      expect(parseExpectations(text)).toMatchObject({ requests: [], findings: [{}] });
    expect(parseExpectations('```http\nGET / -> 200\n```\n')).toEqual({
      requests: [],
      findings: [],
    });
  });

  it('sends no line with a host, whatever it is made of', () => {
    const word = fc.constantFrom(
      'GET',
      ' ',
      '/',
      '//',
      'http:',
      'x',
      '\\',
      '..',
      '[Host: x]',
      '{}',
      '->',
      '200',
      '$a',
      '\r',
      ',',
      '=',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        for (const { path, headers } of parseExpectations(guide(words.join(''))).requests) {
          expect(new URL(path, 'http://127.0.0.1:1').host).toBe('127.0.0.1:1');
          expect(headers.map(([name]) => name.toLowerCase())).not.toContain('host');
        }
      }),
    );
  });
});

it('parseExpectations() knows "$run" from the first request on, and no other name', () => {
  const guide = (path: string): string => `\`\`\`http expect\nGET ${path} -> 200\n\`\`\`\n`;
  expect(parseExpectations(guide('/users/$run')).findings).toEqual([]);
  expect(parseExpectations(guide('/users/$token')).findings).toHaveLength(1);
});
