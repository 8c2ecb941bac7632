/** Python APIs that use the network. */
import { rows, type ApiTable } from '../api.ts';
import { FETCHED } from '../label.ts';

/** The functions of an HTTP client, one for each HTTP method. */
const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'request'];

/** By canonical name. */
export const NETWORK_APIS: ApiTable = new Map([
  ...rows(
    [
      ...methodsOf(['requests', 'requests.Session', '$session', 'cloudscraper']),
      ...methodsOf(['httpx', 'httpx.Client', 'httpx.AsyncClient']),
      ...methodsOf(['urllib3.PoolManager', 'aiohttp.ClientSession']),
      'curl_cffi.requests.get curl_cffi.requests.post wget.download urllib3.request',
      'urllib.request.urlopen urllib2.urlopen urllib.urlopen urllib.request.URLopener.open',
    ],
    { sink: 'send', keyword: 'url', source: FETCHED, result: '$response' },
  ),
  ...rows(['requests.request requests.Session.request httpx.request $session.request'], {
    sink: 'send',
    operand: 1,
    keyword: 'url',
    source: FETCHED,
    result: '$response',
  }),
  ...rows(['urllib.request.urlretrieve urllib.urlretrieve'], {
    sink: 'send',
    keyword: 'url',
    source: FETCHED,
  }),
  ...rows(
    [
      'requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession',
      'urllib3.PoolManager cloudscraper.create_scraper',
    ],
    { result: '$session' },
  ),
  ...rows(
    [
      'urllib.request.Request urllib.request.ProxyHandler urllib.request.build_opener',
      'urllib2.Request',
    ],
    { returns: 0 },
  ),
  ...rows(
    [
      'discord_webhook.DiscordWebhook dhooks.Webhook dhooks.Webhook.Async',
      'discord.SyncWebhook.from_url discord.Webhook.from_url',
    ],
    { sink: 'send', keyword: 'url', result: '$webhook' },
  ),
  ...rows(
    ['$webhook.send $webhook.execute $webhook.add_embed $webhook.add_file', '$webhook.set_content'],
    { sink: 'send', isOnTarget: true },
  ),
  ...rows(['telebot.TeleBot telegram.Bot'], { result: '$webhook' }),
  ...rows(['$webhook.send_message $webhook.send_document $webhook.sendMessage'], {
    sink: 'send',
    isOnTarget: true,
  }),
  ...rows(
    [
      'http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPSConnection',
      'httplib.HTTPConnection',
    ],
    { sink: 'send', source: FETCHED, result: '$http' },
  ),
  ...rows(['$http.request'], { sink: 'send', isOnTarget: true, source: FETCHED }),
  ...rows(['socket.socket socket.create_connection ssl.wrap_socket'], {
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['$socket.connect $socket.connect_ex'], { sink: 'send' }),
  ...rows(['$socket.send $socket.sendall $socket.sendto'], { sink: 'send', isOnTarget: true }),
  ...rows(['$socket.recv $socket.recvfrom'], { source: FETCHED }),
  ...rows(['$socket.fileno'], { source: FETCHED, result: '$socketfile' }),
  ...rows(['os.dup2'], { sink: 'feed', operand: 0 }),
  ...rows(['websocket.WebSocket websocket.create_connection websockets.connect'], {
    sink: 'send',
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP paramiko.SSHClient'], {
    sink: 'send',
    keyword: 'host',
    result: '$mailer',
  }),
  ...rows(['$mailer.sendmail $mailer.send_message $mailer.storbinary'], {
    sink: 'send',
    isOnTarget: true,
  }),
  ...rows(
    [
      'socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex dns.resolver.resolve',
      'dns.resolver.query',
    ],
    { sink: 'resolve', source: FETCHED },
  ),
]);

function methodsOf(clients: readonly string[]): string[] {
  return clients.flatMap((client) => HTTP_METHODS.map((method) => `${client}.${method}`));
}
