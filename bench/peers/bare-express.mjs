// A bare Express for the bench of the starters: what its documentation starts with, and nothing more.
import express from 'express';

const app = express();
app.get('/health', (_req, res) => void res.json({ status: 'ok' }));
app.get('/example', (_req, res) => void res.json({ items: [], nextCursor: null }));
app.listen(Number(process.env.PORT), '127.0.0.1');
