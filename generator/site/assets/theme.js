/* Before anything is drawn: marks that scripts run and whether the address asks for something or leads to a part of the page, and applies the colours that the reader chose. */
document.documentElement.dataset.scripts = '';
if (/[?&]\w+=[^&]/.test(location.search)) document.documentElement.dataset.query = '';
if (location.hash.length > 1 && document.documentElement.dataset.page === 'build') {
  document.documentElement.dataset.waits = '';
}
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  /* No storage: the colours of the system. */
}
