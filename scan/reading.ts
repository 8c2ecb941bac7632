/** Reports which file a scan reads, to whom it concerns: a scan that ends its process cannot report it afterwards. */

let tell: ((path: string) => void) | undefined;
let last = '';

/** From now on calls `listener` for each file that is read after another one. */
export function watchReading(listener: (path: string) => void): void {
  tell = listener;
}

/** Called when the text or the syntax of a file is read. */
export function reading(path: string): void {
  if (tell === undefined || path === last) return;
  last = path;
  tell(path);
}
