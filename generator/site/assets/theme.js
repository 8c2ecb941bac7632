/* Before anything is drawn: marks that scripts run, and applies the colours that the reader chose. */
document.documentElement.dataset.scripts = '';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  /* No storage: the colours of the system. */
}
