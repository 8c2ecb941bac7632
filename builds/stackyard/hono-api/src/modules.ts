// What this application is made of, in the order in which it starts; it stops in the reverse order. One entry for each
// feature, and for each installed module.

import { createExampleModule } from './features/example/module.js'; // example
import type { Module } from './module.js';

export const modules: Module[] = [];

modules.push(createExampleModule()); // example
