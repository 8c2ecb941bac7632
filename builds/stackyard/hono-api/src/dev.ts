// What `npm run dev` runs: the server in development. A file, because a variable in front of a command is written
// differently in each shell. The build leaves it out.

process.env['NODE_ENV'] ||= 'development';
await import('./server.js');
