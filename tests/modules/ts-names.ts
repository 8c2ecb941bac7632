/** For `node --import`: finds `./index.ts` under the name `./index.js` that the files of builds use. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const isOfBuild =
      specifier.startsWith('.') && context.parentURL?.includes('/builds/stackyard/');
    return next(isOfBuild ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
