const g = globalThis;
const name = ['e', 'v', 'a', 'l'].join('');
g[name](g['at' + 'ob']('Y29uc29sZS5sb2coMSk='));
