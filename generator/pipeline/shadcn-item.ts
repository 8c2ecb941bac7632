/**
 * An item of a registry for shadcn, and a registry of such items, as its CLI 4 reads them. Items arrive from
 * strangers: fields that mean nothing to us are kept out, and the limits on them are ours.
 */
import { z } from 'zod';

export const ITEM_SCHEMA = 'https://ui.shadcn.com/schema/registry-item.json';
export const REGISTRY_SCHEMA = 'https://ui.shadcn.com/schema/registry.json';

const MAX_LIST = 2_000;
const Strings = z.array(z.string().max(1_000)).max(MAX_LIST);
const Texts = z.record(z.string(), z.string());

const ItemFile = z.object({
  path: z.string().max(1_000),
  content: z.string().optional(),
  type: z.string().max(100),
  target: z.string().max(1_000).optional(),
});

export const ShadcnItem = z.object({
  $schema: z.string().optional(),
  extends: z.string().optional(),
  name: z.string().min(1).max(500),
  type: z.string().max(100),
  title: z.string().optional(),
  author: z.string().optional(),
  description: z.string().optional(),
  dependencies: Strings.optional(),
  devDependencies: Strings.optional(),
  registryDependencies: Strings.optional(),
  files: z.array(ItemFile).max(MAX_LIST).optional(),
  tailwind: z.unknown().optional(),
  cssVars: z.object({ theme: Texts, light: Texts, dark: Texts }).partial().optional(),
  css: z.record(z.string(), z.unknown()).optional(),
  envVars: Texts.optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  docs: z.string().optional(),
  categories: Strings.optional(),
  font: z.unknown().optional(),
});
export type ShadcnItem = z.infer<typeof ShadcnItem>;

/** `registry.json`: its items have no contents, or those of a registry that is built. */
export const ShadcnRegistry = z.object({
  $schema: z.string().optional(),
  name: z.string().optional(),
  homepage: z.string().optional(),
  include: Strings.optional(),
  items: z.array(ShadcnItem).max(20_000).optional(),
});
export type ShadcnRegistry = z.infer<typeof ShadcnRegistry>;
