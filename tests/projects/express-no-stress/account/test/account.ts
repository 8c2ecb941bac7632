import 'mocha';
import { expect } from 'chai';
import request from 'supertest';
import app from '../server';

process.env.SQLITE_PATH = ':memory:';

describe('Accounts', function () {
  this.timeout(120_000);
  it('registers, logs in and returns the account', async () => {
    const body = { email: 'a@example.com', password: '12345678' };
    const registered = await request(app).post('/auth/register').send(body);
    expect(registered.status).to.equal(201);
    const { token } = registered.body as { token: string };
    const me = await request(app).get('/auth/me').set('Authorization', `Bearer ${token}`);
    expect(me.status).to.equal(200);
    const again = await request(app).post('/auth/register').send(body);
    expect(again.status).to.equal(409);
    const broken = await request(app).post('/auth/login').type('json').send('{"email":');
    expect(broken.status).to.equal(400);
  });
});
