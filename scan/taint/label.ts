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
/** Where the code runs on the machine: current folder, home folder. */
export const LOCATION = 64;
export const NETWORK_ADDRESS = 128;
export const CLIPBOARD = 256;
export const SCREEN = 512;
export const KEYBOARD = 1024;
/** Received over the network. */
export const FETCHED = 2048;
/** Decoded: base64, hex, character codes, decompression, decryption. */
export const DECODED = 4096;
export const FILE = 8192;
/** The output of a process. */
export const OUTPUT = 16384;
/** The name and version of the operating system. */
export const SYSTEM = 32768;
/** Written so that no reader recognizes it: base64, hexadecimal, compressed. */
export const ENCODED = 262144;
/** What a hook or a handler sees of the requests of others, and what users type into a page. */
export const SEEN = 524288;
/** The private key or recovery phrase of a wallet that the caller of a function passes. */
export const WALLET_KEY = 131072;
/** Assembled from single characters, or with every character changed. */
export const SPELLED = 65536;
