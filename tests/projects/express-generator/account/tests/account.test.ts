import request from 'supertest';

import app from '@src/server';

process.env.SQLITE_PATH = ':memory:';

describe('accounts', () => {
  it('registers, logs in and returns the account', async () => {
    const body = { email: 'a@example.com', password: '12345678' };
    const registered = await request(app).post('/auth/register').send(body);
    expect(registered.status).toBe(201);
    const { token } = registered.body as { token: string };
    const me = await request(app).get('/auth/me').set('Authorization', `Bearer ${token}`);
    expect(me.status).toBe(200);
    const again = await request(app).post('/auth/register').send(body);
    expect(again.status).toBe(409);
    const broken = await request(app).post('/auth/login').type('json').send('{"email":');
    expect(broken.status).toBe(400);
  }, 120_000);
});
