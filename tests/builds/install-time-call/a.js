fetch('https://c.host-of-nobody.io/installed');
