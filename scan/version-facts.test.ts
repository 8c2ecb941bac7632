import { describe, expect, it } from 'vitest';
import { broughtStack } from './version-facts.ts';

type Brought = Parameters<typeof broughtStack>[0];

function foundation(texts: Readonly<Record<string, string>>, changes: object = {}): Brought {
  const files = Object.entries(texts).map(([path, text]) => {
    return { path, bytes: new TextEncoder().encode(text), mode: 0o644 as const };
  });
  const manifest = { name: 'x', version: '1.0.0', kind: 'foundation', license: 'MIT' };
  return {
    manifest: { ...manifest, description: '', ...changes } as Brought['manifest'],
    files: files as unknown as Brought['files'],
    installed: Object.keys(texts),
  };
}

const PACKAGE = JSON.stringify({
  engines: { node: '>=22' },
  dependencies: { express: '^5.1.0', zod: '4.0.0', private: 'workspace:*' },
  devDependencies: { typescript: '7.0.2', express: '1.0.0', 'Not A Tag': '1.0.0' },
});

describe('broughtStack()', () => {
  it('has the packages of package.json at their lowest versions, without the runtime', () => {
    expect(broughtStack(foundation({ 'package.json': PACKAGE }))).toEqual({
      express: '5.1.0',
      typescript: '7.0.2',
      zod: '4.0.0',
    });
  });

  it('has the distributions of Python projects', () => {
    const pyproject = '[project]\ndependencies = ["fastapi[standard]>=0.115", "uvicorn"]\n';
    expect(broughtStack(foundation({ 'pyproject.toml': pyproject }))).toEqual({
      fastapi: '0.115.0',
      uvicorn: '0.0.0',
    });
    expect(broughtStack(foundation({ 'requirements.txt': 'Flask==3.1.0\n' }))).toEqual({
      flask: '3.1.0',
    });
  });

  it('is nothing for a module, for files that are not installed and for broken ones', () => {
    expect(broughtStack(foundation({ 'package.json': PACKAGE }, { kind: 'module' }))).toBe(
      undefined,
    );
    const hidden = { ...foundation({ 'package.json': PACKAGE }), installed: [] };
    expect(broughtStack(hidden)).toBe(undefined);
    const broken = { 'package.json': '{', 'pyproject.toml': '[', 'requirements.txt': '\u0000' };
    expect(broughtStack(foundation(broken))).toBe(undefined);
    const odd = { 'package.json': '{"dependencies":[1,{"__proto__":"1"}]}' };
    expect(broughtStack(foundation(odd))).toBe(undefined);
  });
});
