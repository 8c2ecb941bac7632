import { equal } from "node:assert/strict";
import { readPort } from "./ports/read-port.ts";

Deno.test("readPort() reads a port, and nothing else", () => {
  equal(readPort("8080"), 8080);
  equal(readPort("80800"), undefined);
});
