/**
 * What middleware may do with a request before it reaches a route: answer it, or refuse it for lack of rights. By its text and
 * its name, so that it is a guess: one that refuses leaves the step to people, one that answers only moves the place. Pure.
 */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import type { Routers } from './routers.ts';
import { bare, fieldOf, identifierOf, isFunction, listOf, type Tree } from './tree.ts';

const REFUSES =
  /\b(?:status|sendStatus|writeHead|code|json|text)\s*\([^()\n]{0,200}\b40[13]\b|\bHTTPException\s*\(\s*40[13]\b|unauthori[sz]ed|forbidden/i;
const GUARD_NAME =
  /^(?:(?:require|ensure|check|verify|validate|must|is|protect|enforce)_?[A-Z_]?\w*(?:auth|session|login|logged|user|token|jwt|access|admin|key|role)\w*|authenticate\w*|authori[sz]e\w*|auth(?:entication|orization)?_?(?:middleware|guard|required|handler)?|\w*(?:authguard|authmiddleware)|(?:jwt|basic|bearer)_?(?:auth\w*|check\w*|guard)?|passport\.authenticate|expressjwt|protect|guard)$/i;

/** Whether `node` is a function that takes no way on, so that nothing behind it is reached. */
export function answers(node: SyntaxNode): boolean {
  const inner = bare(node);
  if (inner === undefined || !isFunction(inner)) return false;
  const parameters = listOf(inner, 'params');
  return parameters.length <= 2 && !parameters.some((one) => /next/i.test(identifierOf(one) ?? ''));
}

/** Whether `node` may refuse a request for lack of rights. */
export function guards(tree: Tree, node: SyntaxNode, routers: Routers): boolean {
  const inner = bare(node);
  if (inner === undefined) return false;
  if (isFunction(inner)) {
    // Express calls a function with four parameters for errors only.
    const isForErrors = listOf(inner, 'params').length === 4;
    return !isForErrors && REFUSES.test(tree.text.slice(inner.start, inner.end));
  }
  const called = inner.type === 'CallExpression' ? fieldOf(inner, 'callee') : inner;
  if (called === undefined) return false;
  const name = tree.text.slice(called.start, called.end);
  const last = name.split('.').at(-1) ?? '';
  if (/error/i.test(last) || last === 'session') return false;
  if (GUARD_NAME.test(name) || GUARD_NAME.test(last)) return true;
  const text = routers.definitionOf(tree, called);
  return text !== undefined && REFUSES.test(text);
}
