/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export * from './auth.js';
export * from './bodies.js';
export * from './content.js';
export * from './routes.js';
