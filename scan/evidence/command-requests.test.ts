import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { testBuild } from '../test-build.ts';
import { ENVIRONMENT } from '../taint/label.ts';
import { commandRequests, contactsOf, isFetchedOutput, shellRequests } from './command-requests.ts';

function requests(code: string, path = 'a.py'): string[] {
  return commandRequests(testBuild({ [path]: code })).map(
    ({ fact, files }) => `${fact.action} ${fact.operand.texts.join()} ${files.join()}`,
  );
}

describe('commandRequests()', () => {
  it.each([
    ['import os\nos.system("curl http://a.io/x")', 'send http://a.io/x '],
    ['import os\nos.system("curl http://$A/x")', 'send http://\0/x '],
    ['import os\nos.popen("wget http://a.io/x.sh")', 'send http://a.io/x.sh x.sh'],
    [
      'import subprocess as s\ns.run(["curl", "-o", "/tmp/y", "http://a.io/x"])',
      'send http://a.io/x y',
    ],
    ['import subprocess as s\ns.run(["sh", "-c", "curl http://a.io/x"])', 'send http://a.io/x '],
    ['import subprocess as s\ns.getoutput("nslookup x.a.io")', 'resolve x.a.io '],
  ])('%j', (code, request) => {
    expect(requests(code)).toContain(request);
  });

  it('reads JavaScript too', () => {
    const code = "require('child_process').spawn('curl', ['-s', 'http://a.io/x'])";
    expect(requests(code, 'a.js')).toEqual(['send http://a.io/x ']);
  });

  it.each(['import os\nos.system("ls")', 'print("curl http://a.io")'])('%j: none', (code) => {
    expect(requests(code)).toEqual([]);
  });

  it('does not send the environment that a process receives', () => {
    const code = 'import os, subprocess\nsubprocess.run(["curl", "http://a.io/x"], env=os.environ)';
    const [request] = commandRequests(testBuild({ 'a.py': code }));
    expect((request?.fact.content.labels ?? 0) & ENVIRONMENT).toBe(0);
  });
});

describe('contactsOf()', () => {
  it('lists requests of code and of commands', () => {
    const code = 'import os, requests\nrequests.get("http://a.io")\nos.system("curl http://b.io")';
    expect(contactsOf(testBuild({ 'a.py': code })).map(({ operand }) => operand.texts[0])).toEqual([
      'http://a.io',
      'http://b.io',
    ]);
  });
});

describe('isFetchedOutput()', () => {
  function runs(command: string): boolean {
    const build = testBuild({ 'a.py': `import subprocess as s\nexec(s.getoutput("${command}"))` });
    const executed = build.taint.facts.find(({ action }) => action === 'execute');
    return executed !== undefined && isFetchedOutput(build, executed.operand);
  }

  it('is true for the output of a download', () => {
    expect(runs('curl -s http://a.io/x')).toBe(true);
  });

  it.each(['ls', 'curl -o y http://a.io/x'])('is false for that of %s', (command) => {
    expect(runs(command)).toBe(false);
  });
});

describe('shellRequests()', () => {
  it.each([
    ['curl http://a.io/x', 'curl', 'http://a.io/x', []],
    ['cd /tmp && wget -q http://a.io/x.sh', 'wget', 'http://a.io/x.sh', ['x.sh']],
    ['sh -c "curl -o /tmp/b http://a.io/x"', 'curl', 'http://a.io/x', ['b']],
    ['echo $(curl http://a.io/x)', 'curl', 'http://a.io/x', []],
    ['(curl http://a.io/x)', 'curl', 'http://a.io/x', []],
    [
      "powershell -c \"(New-Object Net.WebClient).DownloadFile('http://a.io/x', 'C:\\t\\y.exe')\"",
      'powershell',
      'http://a.io/x',
      ['y.exe'],
    ],
  ])('%s', (text, program, url, files) => {
    expect(shellRequests(text)).toContainEqual(
      expect.objectContaining({ program, url, isLookup: false, isUpload: false, files }),
    );
  });

  it('knows programs that only look up a name', () => {
    expect(shellRequests('nslookup a.oastify.com')).toMatchObject([
      { program: 'nslookup', url: 'a.oastify.com', isLookup: true, files: [] },
    ]);
  });

  it.each(['', 'git clone https://a.io/x', 'echo curl', 'curl $URL', 'python setup.py build'])(
    '%j requests nothing',
    (text) => {
      expect(shellRequests(text)).toEqual([]);
    },
  );

  it('reads any text, and is bounded', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(shellRequests(text))));
    expect(shellRequests('curl http://a.io;'.repeat(100_000))).toHaveLength(50);
    expect(shellRequests('$(curl a.io '.repeat(50_000)).length).toBeLessThanOrEqual(50);
  });
});
