// Standard output for logs. The lines of one turn of the event loop are written together at its end, which needs a
// fraction of the system calls. No line waits longer, and none is lost when the process exits or crashes. Only a
// process that is killed loses the lines of its last turn.

import cluster from 'node:cluster';
import { type DestinationStream, destination } from 'pino';

const MAX_BUFFERED_CHARACTERS = 65_536;
/** What several processes write into one pipe stays whole up to 4,096 bytes; a line is nearly always ASCII. */
const MAX_WHOLE_CHARACTERS = 4_096;

let standardOutput: DestinationStream | undefined;

/** Standard output, shared by all loggers of the process. */
export function openStandardOutput(): DestinationStream {
  if (!standardOutput) {
    const output = bufferLines(
      destination({ dest: 1, sync: true }),
      cluster.isWorker ? MAX_WHOLE_CHARACTERS : MAX_BUFFERED_CHARACTERS,
    );
    process.once('exit', () => output.flush());
    standardOutput = output;
  }
  return standardOutput;
}

/** Collects what is written in one turn of the event loop, or until it is large. `flush` writes what is buffered. */
export function bufferLines(
  output: DestinationStream,
  maxCharacters = MAX_BUFFERED_CHARACTERS,
): DestinationStream & { flush(): void } {
  let buffered = '';
  let isScheduled = false;

  function flush(): void {
    if (buffered === '') return;
    const text = buffered;
    buffered = '';
    output.write(text);
  }

  return {
    flush,
    write(line) {
      if (buffered.length + line.length > maxCharacters) flush();
      buffered += line;
      if (buffered.length >= maxCharacters) flush();
      else if (!isScheduled) {
        isScheduled = true;
        setImmediate(() => {
          isScheduled = false;
          flush();
        });
      }
    },
  };
}
