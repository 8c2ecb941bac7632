/** What is wrong with a table of APIs, for the tests of the tables. */
import type { ApiTable } from '../../scan/taint/api.ts';

/** One line for each entry that no call reaches, that has no effect, or that contradicts itself. */
export function apiProblems(table: ApiTable, canonical: (name: string) => string): string[] {
  const results = new Set([...table.values()].flatMap(({ result }) => result ?? []));
  return [...table].flatMap(([name, api]) => {
    const problems: string[] = [];
    if (!/^[\w$@][\w$@./-]*$/.test(name)) problems.push('is no name');
    if (canonical(name) !== name) problems.push(`is written ${canonical(name)} in facts`);
    if (Object.keys(api).length === 0) problems.push('has no effect');
    if (api.source !== undefined && Math.log2(api.source) % 1 !== 0) {
      problems.push('has more than one label');
    }
    if ((api.operand ?? api.content ?? api.isLast) !== undefined && api.sink === undefined) {
      problems.push('has an operand without a sink');
    }
    if (api.isOnTarget === true && api.operand !== undefined) problems.push('has two operands');
    const [first = ''] = name.split('.');
    if (/^\$\w/.test(first) && !results.has(first) && !RESULTS_OF_SYNTAX.has(first)) {
      problems.push('is a member of what no API returns');
    }
    return problems.map((problem) => `${name} ${problem}`);
  });
}

/** Names that the interpreter gives to values without a call of the table. */
const RESULTS_OF_SYNTAX = new Set(['$constructor', '$cache', '$globals', '$process']);
