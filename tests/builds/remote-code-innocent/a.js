import { spawn } from 'node:child_process';
export async function build(url) {
  const answer = await fetch(url);
  const { version } = await answer.json();
  console.log(version);
  return spawn('git', ['status'], { stdio: 'inherit' });
}
