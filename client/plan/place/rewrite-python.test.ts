import { describe, expect, test } from 'vitest';
import { rewriteTexts } from '../../../tests/client/rewrite-fixture.ts';
import type { BuildTexts } from '../../../tests/client/rewrite-fixture.ts';

const SQLITE = { '__init__.py': '', 'db.py': 'x = 1', 'sql/query.py': 'x = 1' };

interface Where {
  readonly place?: string;
  readonly sqlite?: string;
  readonly base?: string;
  readonly sqliteBase?: string;
  readonly modules?: readonly string[];
  readonly roots?: readonly string[];
}

/** `text` of `app/account/login.py`, placed in `app/users/auth`, next to `x/sqlite`, placed in `app/db`. */
function rewrite(
  text: string,
  {
    place = 'app/users/auth',
    sqlite = 'app/db',
    base = 'app/account',
    sqliteBase = 'app/sqlite',
    ...project
  }: Where = {},
): { text: string; left: readonly string[] } {
  const builds: Record<string, BuildTexts> = {
    'x/account': {
      base,
      place,
      requires: ['x/sqlite'],
      files: { 'login.py': text, '__init__.py': '', 'tokens/sign.py': '' },
    },
    'x/sqlite': { base: sqliteBase, place: sqlite, files: SQLITE },
  };
  const { files, left } = rewriteTexts('x/account', builds, project);
  const path = place === '' ? 'login.py' : `${place}/login.py`;
  return {
    text: files[path] ?? '',
    left: (left[path] ?? []).map(({ line, what }) => `${line}: ${what}`),
  };
}

describe('rewritePython() rewrites', () => {
  test.each([
    ['from ..sqlite import connect', 'from ...db import connect'],
    ['from ..sqlite.db import (a, b as c)  # why', 'from ...db.db import (a, b as c)  # why'],
    ['from . . sqlite.sql.query import x', 'from ...db.sql.query import x'],
    ['from .. import sqlite', 'from ... import db as sqlite'],
    ['from .. import sqlite as s', 'from ... import db as s'],
    ['from .. import settings, sqlite', 'from ... import settings, db as sqlite'],
    ['from ..settings import x', 'from ...settings import x'],
    ['from ..sqlite import *', 'from ...db import *'],
    ['from app.sqlite import db', 'from app.db import db'],
    ['from app.sqlite.db import x', 'from app.db.db import x'],
    ['from app import sqlite', 'from app import db as sqlite'],
    ['from app.account.tokens import sign', 'from app.users.auth.tokens import sign'],
    ['import app.sqlite.db as d', 'import app.db.db as d'],
    ['import os, app.sqlite.db as d, re', 'import os, app.db.db as d, re'],
    [
      'import app.sqlite.db\nx = app.sqlite.db.y(app.sqlite.db)',
      'import app.db.db\nx = app.db.db.y(app.db.db)',
    ],
    [
      'import app.sqlite\nimport app.sqlite.db\napp.sqlite.db.z; app.sqlite.y',
      'import app.db\nimport app.db.db\napp.db.db.z; app.db.y',
    ],
    ["importlib.import_module('app.sqlite.db')", "importlib.import_module('app.db.db')"],
    [
      'try:\n    from ..sqlite import a\nexcept ImportError:\n    a = None',
      'try:\n    from ...db import a\nexcept ImportError:\n    a = None',
    ],
    [
      '\u{FEFF}from ..sqlite import a\r\n\tx = 1\r\n'.replace('\t', ''),
      '\u{FEFF}from ...db import a\r\nx = 1\r\n',
    ],
    // Its own modules, packages, and texts.
    ['from . import tokens', 'from . import tokens'],
    ['from .tokens.sign import sign', 'from .tokens.sign import sign'],
    ['from .made_later import x', 'from .made_later import x'],
    ['import sqlite3, fastapi.responses', 'import sqlite3, fastapi.responses'],
    ['# from ..sqlite import a', '# from ..sqlite import a'],
    ['x = """\nfrom ..sqlite import a\n"""', 'x = """\nfrom ..sqlite import a\n"""'],
  ])('%j', (before, after) => {
    expect(rewrite(before, { modules: ['app/settings'] })).toEqual({ text: after, left: [] });
  });

  test('relative imports that would leave the outermost package are absolute', () => {
    const { text } = rewrite('from ..sqlite import a', { place: 'app/auth', sqlite: 'db' });
    expect(text).toBe('from db import a');
    expect(rewrite('from .. import sqlite', { sqlite: 'db' }).text).toBe('import db as sqlite');
    const both = rewrite('if x: from .. import settings as s, sqlite', { sqlite: 'db' });
    expect(both.text).toBe('if x: from ... import settings as s; import db as sqlite');
  });

  test('absolute names begin at the root of the sources', () => {
    const where = { base: 'src/app/account', sqliteBase: 'src/app/sqlite', place: 'src/app/auth' };
    const text = 'from app.sqlite import a';
    expect(rewrite(text, { ...where, sqlite: 'src/core/db' }).text).toBe('from core.db import a');
    expect(rewrite(text, { ...where, sqlite: 'core/db' }).text).toBe('from core.db import a');
    // A project that runs from its root has "src" in its names.
    const packaged = 'from src.app.sqlite import a';
    expect(rewrite(packaged, { ...where, sqlite: 'src/core/db' }).text).toBe(
      'from src.core.db import a',
    );
    const other = { roots: ['lib', ''], place: 'lib/auth', sqlite: 'lib/db' };
    expect(rewrite('import app.sqlite as s', other).text).toBe('import db as s');
  });

  test('the root of the project', () => {
    const { text } = rewrite('from ..sqlite import a', { place: '', sqlite: 'app/db' });
    expect(text).toBe('from app.db import a');
    expect(rewrite('from .tokens import a', { place: '' }).text).toBe('from tokens import a');
  });
});

describe('rewritePython() leaves and reports', () => {
  test.each([
    ['importlib.import_module(name)', '1: imports a name that is computed at run time'],
    [
      "patch('app.sqlite.db.connect')",
      '1: the string "app.sqlite.db.connect" may name a module that has moved',
    ],
    [
      'import app.sqlite.db\nx = app',
      '2: "app" may be part of the module "app.sqlite.db", which has moved',
    ],
    [
      'from .. import (settings, # a\n  sqlite)',
      '1: imports modules that are now in other places, with a comment between',
    ],
    ['from ..absent import x', '1: "..absent" names "app/absent", which is not in the project'],
    ['from ..sqlite import', '1: its syntax cannot be read, so its imports are left as they are'],
  ])('%j', (text, left) => {
    expect(rewrite(text, { modules: ['app/settings'] }).left).toEqual([left]);
  });

  test.each(['app/my-auth', 'app/class', 'app/2fa'])(
    'refuses %s, which Python cannot import',
    (place) => {
      expect(() => rewrite('from app.account import login', { place })).toThrow(/is no name/);
      // Where nothing names the folder, it may have any name.
      expect(rewrite('import os', { place }).text).toBe('import os');
    },
  );
});
