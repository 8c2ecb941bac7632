import { describe, expect, it } from 'vitest';
import { EXPRESS, HONO } from './framework.ts';
import { readTree } from './tree.ts';

describe('isMade()', () => {
  it.each([
    ["import express from 'express'; express();", EXPRESS, 1],
    ["import * as e from 'express'; e();", EXPRESS, 1],
    ["import e = require('express'); e();", EXPRESS, 1],
    ["const e = require('express'); e(); e.Router();", EXPRESS, 1],
    ["import express from 'other'; express();", EXPRESS, 0],
    ["import { Hono as H } from 'hono'; new H();", HONO, 1],
    ["const { Hono } = require('hono'); new Hono();", HONO, 1],
    ["import { Hono } from 'hono'; Hono();", HONO, 0],
  ])('%s', (text, framework, count) => {
    const tree = readTree('a.ts', text)!;
    const names = framework.namesIn(tree);
    expect(tree.nodes.filter((node) => framework.isMade(node, names))).toHaveLength(count);
  });
});
