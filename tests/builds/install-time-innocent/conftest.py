import os
os.environ['TZ'] = 'UTC'
