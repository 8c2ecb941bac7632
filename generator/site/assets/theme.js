/* Before anything is drawn: marks that scripts run and whether the address asks for something, and applies the colours that the reader chose. */
document.documentElement.dataset.scripts = '';
if (/[?&]\w+=[^&]/.test(location.search)) document.documentElement.dataset.query = '';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  /* No storage: the colours of the system. */
}
