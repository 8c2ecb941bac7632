// The build stackyard/account in Express 5, as its README shows it, from the folder to which it was compiled.

import express from 'express';

const { createAccount, readAccountConfig, noThrottle } = await import(process.env.ACCOUNT_MODULE);
const { openDatabase } = await import(process.env.SQLITE_MODULE);

const account = createAccount(
  openDatabase(process.env.DATABASE_FILE),
  readAccountConfig(process.env),
  { throttle: noThrottle },
);
const app = express();
app.use('/auth', account.router);
app.listen(Number(process.env.PORT), '127.0.0.1');
