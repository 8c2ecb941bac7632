import { z } from 'zod/v4';
export { Router } from 'express';
const pg = await import('pg');
export const log = { transport: { target: 'pino-pretty' } };
