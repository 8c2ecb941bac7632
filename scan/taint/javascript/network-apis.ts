/** JavaScript APIs that use the network. */
import { rows, type ApiTable } from '../api.ts';
import { FETCHED } from '../label.ts';

/** By canonical name. */
export const NETWORK_APIS: ApiTable = new Map([
  ...rows(
    [
      'fetch axios got request superagent needle phin bent ky ofetch',
      'undici.request undici.stream navigator.sendBeacon',
    ],
    { sink: 'send', source: FETCHED, result: '$response' },
  ),
  ...rows(
    [
      'axios.get axios.post axios.put axios.patch axios.delete axios.head axios.request',
      'got.get got.post got.put got.stream',
      'request.get request.post request.put request.defaults',
      'needle.get needle.post ky.get ky.post superagent.get superagent.post superagent.put',
      '$.get $.post $.ajax $.getScript $.getJSON',
    ],
    { sink: 'send', source: FETCHED, result: '$request' },
  ),
  ...rows(['needle'], { sink: 'send', operand: 1, source: FETCHED, result: '$response' }),
  ...rows(['http.get http.request http2.connect'], {
    sink: 'send',
    source: FETCHED,
    result: '$request',
  }),
  ...rows(['axios.create got.extend'], { result: 'axios' }),
  ...rows(
    [
      '$request.write $request.end $request.send $request.field $request.attach',
      '$request.query $request.form',
    ],
    { sink: 'send', isOnTarget: true, source: FETCHED, result: '$response' },
  ),
  ...rows(['XMLHttpRequest'], { result: '$xhr', source: FETCHED }),
  ...rows(['$xhr.open'], { sink: 'send', operand: 1 }),
  ...rows(['$xhr.send'], { sink: 'send', isOnTarget: true }),
  ...rows(['WebSocket ws EventSource ws.WebSocket socket.io-client socket.io-client.io'], {
    sink: 'send',
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['net.connect net.createConnection tls.connect $socket.connect'], {
    sink: 'send',
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['net.Socket tls.TLSSocket'], { result: '$socket', source: FETCHED }),
  ...rows(['net.createServer http.createServer tls.createServer dgram.createSocket'], {
    result: '$socket',
    source: FETCHED,
  }),
  ...rows(['$socket.write $socket.end $socket.send $socket.emit'], {
    sink: 'send',
    isOnTarget: true,
  }),
  ...rows(
    [
      'dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveMx',
      'dns.resolveCname dns.resolveAny dns.resolveNs dns.resolveSrv',
      '$resolver.resolve $resolver.resolve4 $resolver.resolveTxt',
    ],
    { sink: 'resolve', source: FETCHED },
  ),
  ...rows(['dns.Resolver'], { result: '$resolver' }),
  ...rows(['nodemailer.createTransport'], { result: '$mailer' }),
  ...rows(['$mailer.sendMail'], { sink: 'send' }),
]);
