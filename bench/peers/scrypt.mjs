// The floor of logins: scrypt only. The arguments are how many hashes run at once, and for how many seconds.
//
//   node scrypt.mjs 2 3       prints hashes per second, and milliseconds of processor time per hash

import { derive } from './scrypt-cost.mjs';

const [inFlight, seconds] = process.argv.slice(2).map(Number);
const salt = Buffer.alloc(16, 7);
let count = 0;

async function work(end) {
  while (performance.now() < end) {
    await derive('password of the bench', salt);
    count += 1;
  }
}

await Promise.all(Array.from({ length: inFlight }, () => derive('warm', salt)));
const start = performance.now();
const used = process.cpuUsage();
await Promise.all(Array.from({ length: inFlight }, () => work(start + seconds * 1000)));
const perSecond = (count * 1000) / (performance.now() - start);
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ perSecond, cpuMs: (user + system) / 1000 / count }));
