// Finds statements in SQL text that would begin or end a transaction. Knows just enough of SQLite's grammar
// for that: comments, quotes, and trigger bodies, in which `;` and `END` do not end a transaction.

const TRANSACTION_WORDS: ReadonlySet<string> = new Set([
  'BEGIN',
  'COMMIT',
  'END',
  'ROLLBACK',
  'SAVEPOINT',
  'RELEASE',
]);

// Comment, quoted text, word, or any other character. A doubled quote reads as two texts side by side, which
// changes nothing here and keeps the expression free of nested repetition.
const TOKEN = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\w+|[^\s]/g;
const COMMENT = /^(?:--|\/\*)/;
const CREATE_TRIGGER = /^CREATE (?:TEMP |TEMPORARY )?TRIGGER$/;

/** The first word of `sql`'s first statement that begins or ends a transaction or savepoint, in upper case. */
export function findTransactionStatement(sql: string): string | undefined {
  let statement: string[] = [];
  let inTrigger = false;
  for (const [text] of sql.matchAll(TOKEN)) {
    if (COMMENT.test(text)) continue;
    const token = text.toUpperCase();
    if (token === ';' && (!inTrigger || endsTriggerBody(statement))) {
      statement = [];
      inTrigger = false;
      continue;
    }
    if (statement.length === 0 && TRANSACTION_WORDS.has(token)) return token;
    statement.push(token);
    if (statement.length <= 3) inTrigger ||= CREATE_TRIGGER.test(statement.join(' '));
  }
  return undefined;
}

// Only an END that follows a `;` closes a trigger; the END of a CASE does not.
function endsTriggerBody(statement: readonly string[]): boolean {
  const { length } = statement;
  return statement[length - 1] === 'END' && statement[length - 2] === ';';
}
