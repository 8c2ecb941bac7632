// A bare Hono with its server for Node, for the bench of the starters: what its documentation starts with, and nothing more.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.get('/health', (c) => c.json({ status: 'ok' }));
app.get('/example', (c) => c.json({ items: [], nextCursor: null }));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
