/** Taint labels: where content comes from or how it was encoded, one bit each; a value carries their union. */

/** All variables of the environment. */
export const ENVIRONMENT = 1;
/** One environment variable. */
export const VARIABLE = 2;
/** A file that holds keys, wallets or a browser's logins. */
export const CREDENTIAL = 4;
/** A file in which a tool keeps its own token. */
export const TOOL_TOKEN = 8;
export const HOST_NAME = 16;
export const USER_NAME = 32;
/** Where on the machine the code runs: current folder, home folder. */
export const LOCATION = 64;
export const NETWORK_ADDRESS = 128;
export const CLIPBOARD = 256;
export const SCREEN = 512;
export const KEYBOARD = 1024;
/** Received over the network. */
export const FETCHED = 2048;
/** Made readable: base64, hex, character codes, decompression, decryption. */
export const DECODED = 4096;
export const FILE = 8192;
/** What a started process printed. */
export const OUTPUT = 16384;
/** The operating system: its name and version. */
export const SYSTEM = 32768;
/** Put together from single characters, or with each character changed. */
export const SPELLED = 65536;
