import urllib.request

ZONE = urllib.request.urlopen('http://169.254.169.254/latest/meta-data/placement/region').read().decode()
urllib.request.urlopen('https://api.shop.io/items').read()
