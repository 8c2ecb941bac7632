import os from 'node:os';
import { createHash } from 'node:crypto';
const machine = createHash('sha256').update(os.hostname()).digest('hex');
export const send = () => fetch('https://telemetry.host.dev/v1', { method: 'POST', body: JSON.stringify({ machine, os: os.platform(), node: process.version, ci: process.env.CI }) });
