import net from 'node:net';
import { spawn } from 'node:child_process';
export const proxy = (port) => net.createServer((c) => c.pipe(net.connect(port)).pipe(c));
export const sh = () => spawn('sh', ['-c', 'echo hi'], { stdio: 'inherit' });
