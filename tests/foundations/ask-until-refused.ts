/** A busy client that notices every request which a stop breaks. */
import { Agent, get } from 'node:http';

interface Seen {
  readonly answers: number;
  readonly closed: number;
  readonly broken: readonly string[];
}

/** A client that sends its next request on the same connection until an answer has `Connection: close`. */
export async function askUntilRefused(port: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/example', agent }, (answer) => {
        answer.on('error', reject).on('end', () => resolve(answer.headers.connection));
        answer.resume();
      }).on('error', reject);
    });
  let answers = 0;
  let closed = 0;
  for (;;) {
    try {
      if ((await ask()) === 'close') closed += 1;
      answers += 1;
    } catch (error) {
      agent.destroy();
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      // Refused before anything was sent: the server listens no more.
      return { answers, closed, broken: code === 'ECONNREFUSED' ? [] : [code] };
    }
  }
}
