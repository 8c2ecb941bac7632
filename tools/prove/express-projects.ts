/** Two servers on Express as their people write them, with a test program of their own each. */
import { ACCOUNT_USE, APP, REQUEST, WIRED, accountTest, appTest } from './express-sources.ts';
import { NPM_INSTALL, VITEST_IMPORT, packageJson } from './package-json.ts';
import type { ProjectKind } from './project-kind.ts';

const JEST = { preset: 'ts-jest', testEnvironment: 'node', testTimeout: 120_000 };

const JEST_PACKAGE = {
  scripts: { build: 'tsc --outDir dist', typecheck: 'tsc --noEmit', test: 'jest' },
  dependencies: { express: '^4.21.2' },
  devDependencies: {
    '@types/express': '^4.17.21',
    '@types/jest': '^29.5.14',
    '@types/node': '^20.19.0',
    jest: '^29.7.0',
    'ts-jest': '^29.4.0',
    typescript: '~5.9.3',
  },
};

/** CommonJS, because package.json has no "type", and the compiler settings that `tsc --init` wrote for years. */
export const EXPRESS_4_JEST: ProjectKind = {
  name: 'Express 4, CommonJS, jest, TypeScript 5.9',
  made: 'by hand; the compiler settings are those that `tsc --init` wrote for years',
  install: [NPM_INSTALL],
  files: {
    'package.json': packageJson('express-4', JEST_PACKAGE),
    'jest.config.js': `module.exports = ${JSON.stringify(JEST)};\n`,
    'tsconfig.json': `${JSON.stringify(
      {
        compilerOptions: {
          target: 'es2020',
          module: 'commonjs',
          strict: true,
          esModuleInterop: true,
          skipLibCheck: true,
          forceConsistentCasingInFileNames: true,
        },
        include: ['src', 'test'],
      },
      null,
      2,
    )}\n`,
    'src/app.ts': APP,
    'test/request.ts': REQUEST,
    'test/app.test.ts': appTest('', ''),
  },
  typeCheck: 'npm run -s typecheck',
  test: 'npm test',
  trials: [
    { build: 'stackyard/sqlite' },
    {
      build: 'stackyard/account',
      uses: [
        {
          what: ACCOUNT_USE,
          wire: WIRED,
          files: {
            'jest.config.js': `module.exports = ${JSON.stringify({
              ...JEST,
              moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
            })};\n`,
            'test/account.test.ts': accountTest('', ''),
          },
          command: 'npm run -s typecheck && npm test',
        },
      ],
    },
  ],
};

export const EXPRESS_5_ESM: ProjectKind = {
  name: 'Express 5, ES modules, vitest, TypeScript 7',
  made: 'by hand, with the strictest settings of the compiler',
  install: [NPM_INSTALL],
  files: {
    'package.json': packageJson('express-5', {
      type: 'module',
      scripts: { typecheck: 'tsc --noEmit', test: 'vitest run --testTimeout 120000' },
      dependencies: { express: '^5.1.0', zod: '^4.1.0' },
      devDependencies: {
        '@types/express': '^5.0.3',
        '@types/node': '^24.0.0',
        typescript: '^7.0.2',
        vitest: '^4.0.0',
      },
    }),
    'tsconfig.json': `${JSON.stringify(
      {
        compilerOptions: {
          target: 'es2023',
          module: 'nodenext',
          strict: true,
          types: [],
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          verbatimModuleSyntax: true,
          isolatedModules: true,
          skipLibCheck: true,
        },
        include: ['src', 'test'],
      },
      null,
      2,
    )}\n`,
    'src/app.ts': APP,
    'test/request.ts': `/// <reference types="node" />\n${REQUEST}`,
    'test/app.test.ts': appTest(VITEST_IMPORT, '.js'),
  },
  typeCheck: 'npm run -s typecheck',
  test: 'npm test',
  trials: [
    { build: 'stackyard/sqlite' },
    {
      build: 'stackyard/account',
      uses: [
        {
          what: ACCOUNT_USE,
          wire: WIRED,
          files: {
            'test/account.test.ts': accountTest(VITEST_IMPORT, '.js'),
          },
          command: 'npm run -s typecheck && npm test',
        },
      ],
    },
  ],
};
