import { spawn } from 'node:child_process';
export const run = (c) => spawn(c, { env: { ...process.env, FORCE_COLOR: '1' } });
