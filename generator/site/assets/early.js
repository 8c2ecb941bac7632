/* Before anything is drawn: marks that scripts run, and whether the address asks for something or leads to a part of the page. */
document.documentElement.dataset.scripts = '';
if (/[?&]\w+=[^&]/.test(location.search)) document.documentElement.dataset.query = '';
if (location.hash.length > 1 && document.documentElement.dataset.page === 'build') {
  document.documentElement.dataset.waits = '';
}
