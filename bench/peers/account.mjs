// The build stackyard/account in Express 5, as its README shows it, from the folder to which it was compiled.

import express from 'express';

process.env.SQLITE_PATH = process.env.DATABASE_FILE;
const { accountModule } = await import(process.env.ACCOUNT_MODULE);

accountModule.assertSettings();
accountModule.configure({ throttle: undefined });
const app = express();
app.use('/auth', accountModule.node);
app.listen(Number(process.env.PORT), '127.0.0.1');
