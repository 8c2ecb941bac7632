/**
 * Ends the program with an error on a Node.js that is too old, before a module is loaded that such a version
 * cannot run. Imported first; imports nothing.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `error: stackyard needs Node.js 22.12 or newer, this is ${process.versions.node}\n` +
      'hint: install a newer Node.js and run the command again\n',
  );
  process.exit(2);
}
