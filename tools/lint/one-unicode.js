/**
 * The rule `stackyard/one-unicode` of oxlint: letter case, normal forms and properties of characters come from
 * `format/unicode.ts`, which has one version of Unicode, and not from the engine, of which every version of Node.js
 * has another one. `posix.normalize()` is about paths.
 */
const METHODS = new Map([
  ['toLowerCase', 'lowerCase()'],
  ['toUpperCase', 'upperCase()'],
  ['toLocaleLowerCase', 'lowerCase()'],
  ['toLocaleUpperCase', 'upperCase()'],
  ['normalize', 'normalize()'],
  ['localeCompare', 'compareText() of format/compare-text.ts'],
]);
const PROPERTY = /(?<!\\)(?:\\\\)*\\[pP]\{/;

const rule = {
  create(context) {
    const refuse = (node, what, instead) =>
      context.report({
        node,
        message: `${what} depends on the version of Node.js: use ${instead}`,
      });
    const refuseProperty = (node, text) => {
      if (PROPERTY.test(text)) {
        refuse(node, 'A property of characters', 'characterClass() of format/unicode.ts');
      }
    };
    const refuseFlags = (node, flags) => {
      if (/^[dgmsy]*(?:i[dgmsy]*[uv]|[uv][dgmsy]*i)[dgmsy]*$/.test(flags)) {
        refuse(node, 'Case beyond ASCII', 'flag i without u and v');
      }
    };
    return {
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name;
        const isPath = name === 'normalize' && /^(?:posix|win32|path)$/.test(node.object.name);
        if (METHODS.has(name) && !isPath) refuse(node, `${name}()`, METHODS.get(name));
        if (node.object.name === 'Intl') refuse(node, 'Intl', 'code without languages');
      },
      NewExpression(node) {
        if (node.callee.name === 'RegExp') refuseFlags(node, node.arguments[1]?.value);
      },
      Property(node) {
        if (node.key.name === 'flags') refuseFlags(node, node.value.value);
      },
      Literal(node) {
        if (node.regex !== undefined) {
          refuseProperty(node, node.regex.pattern);
          refuseFlags(node, node.regex.flags);
        } else if (typeof node.value === 'string') {
          refuseProperty(node, node.value);
        }
      },
      TemplateElement(node) {
        refuseProperty(node, node.value.raw);
      },
    };
  },
};

// oxlint-disable-next-line import/no-default-export -- the form of a plugin
export default { meta: { name: 'stackyard' }, rules: { 'one-unicode': rule } };
