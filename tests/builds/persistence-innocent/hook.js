import { appendFileSync } from 'node:fs';
import { homedir } from 'node:os';
export const addCompletion = (line) => appendFileSync(`${homedir()}/.zshrc`, line);
