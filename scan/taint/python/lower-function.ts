/** Lowers Python functions, methods and lambdas to the IR. */
import type { SyntaxNode } from '@lezer/common';
import { WALLET_PARAMETER, WALLET_SOURCE } from '../api.ts';
import type { Expr, Func } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';
import { type Lowering, PythonScope, childrenOf, at, slotAt, assign } from './nodes.ts';

/**
 * A function with its parameters and body.
 *
 * @param self the object of the class whose method it is: its first parameter
 */
export function lowerFunction(
  lowering: Lowering,
  node: SyntaxNode,
  outer: PythonScope,
  self: Slot | undefined,
): Func {
  const scope = new PythonScope(outer);
  const body: Expr[] = [];
  const { params, rest, named } = lowerParameters(lowering, node, outer, scope, self, body);
  const block = node.getChild('Body');
  if (block !== null) lowering.block(block, scope, body, undefined);
  else if (node.lastChild !== null) {
    const result = lowering.expression(node.lastChild, scope);
    body.push(assign(slotAt(scope.result, node), result, node));
  }
  return { params, rest, named, body, self: newSlot(), result: scope.result };
}

/** Declares the parameters in `scope`; adds their default values, which are evaluated in `outer`, to `body`. */
function lowerParameters(
  lowering: Lowering,
  node: SyntaxNode,
  outer: PythonScope,
  scope: PythonScope,
  self: Slot | undefined,
  body: Expr[],
): Pick<Func, 'params' | 'rest' | 'named'> {
  let first = self;
  const params: Slot[] = [];
  const named = new Map<string, Slot>();
  let rest: Slot | undefined;
  const list = node.getChild('ParamList');
  let stars = '';
  for (const child of list === null ? [] : childrenOf(list)) {
    if (child.name === '*' || child.name === '**') stars = child.name;
    else if (child.name === ',') stars = '';
    else if (child.name === 'VariableName' && child.prevSibling?.name !== 'AssignOp') {
      const name = lowering.textOf(child);
      const slot = first ?? newSlot();
      scope.slots.set(name, slot);
      if (first !== undefined) {
        first = undefined;
        continue;
      }
      if (stars === '') params.push(slot);
      else rest = slot;
      named.set(name, slot);
      if (WALLET_PARAMETER.test(name)) {
        const source: Expr = { ...at(child), op: 'global', name: WALLET_SOURCE };
        body.push(assign(slotAt(slot, child), source, child));
      }
    } else if (child.prevSibling?.name === 'AssignOp') {
      const name = child.prevSibling.prevSibling;
      const slot = name === null ? undefined : named.get(lowering.textOf(name));
      if (slot === undefined) continue;
      body.push(assign(slotAt(slot, child), lowering.expression(child, outer), child));
    }
  }
  return { params, rest, named };
}
