/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { type StoredFile, uploadsMigrations } from './files.js';
export {
  createUploadsModule, deleteFile, deleteUploadsOf, filesOf, openFile, type Swept, type UploadsModule,
  type UploadsOptions,
} from './module.js';
