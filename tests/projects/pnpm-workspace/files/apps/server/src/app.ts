import { greet } from '@shop/greeting';
import express from 'express';

export const app = express();
app.use(express.json());
app.get('/hello/:name', (req, res) => {
  res.json({ hello: greet(req.params.name) });
});
