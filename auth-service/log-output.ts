// Standard output for logs. The lines of one turn of the event loop are written together at its end, which needs a
// fraction of the system calls. No line waits longer, and none is lost when the process exits or crashes. Only a
// process that is killed loses the lines of its last turn.

import { type DestinationStream, destination } from 'pino';

const MAX_BUFFERED_CHARACTERS = 65_536;

let standardOutput: DestinationStream | undefined;

/** Standard output, shared by all loggers of the process. */
export function openStandardOutput(): DestinationStream {
  if (!standardOutput) {
    const output = bufferLines(destination({ dest: 1, sync: true }));
    process.once('exit', () => output.flush());
    standardOutput = output;
  }
  return standardOutput;
}

/** Collects what is written in one turn of the event loop, or until it is large. `flush` writes what is buffered. */
export function bufferLines(output: DestinationStream): DestinationStream & { flush(): void } {
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
      buffered += line;
      if (buffered.length >= MAX_BUFFERED_CHARACTERS) flush();
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
