import { spawn } from 'node:child_process';

const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', '0']);
const timer = setTimeout(() => child.kill(), 60_000);
let output = '';
child.stdout.on('data', async (data) => {
  const before = output;
  output += data;
  const address = /http:\/\/localhost:\d+/.exec(output)?.[0];
  if (!output.includes('Ready') || before.includes('Ready') || address === undefined) return;
  try {
    const answer = await fetch(address + '/notes', { method: 'POST', body: 'one' });
    const text = await answer.text();
    if (text !== '[{"text":"one"}]') throw new Error(text);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  clearTimeout(timer);
  child.kill();
});
child.on('close', () => {
  if (!output.includes('Ready')) process.exitCode = 1;
});
