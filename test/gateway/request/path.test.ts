import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** The functions that a chat completion runs at most. Lower it with each change that makes the path shorter. */
const MOST = 349;

const program = join(import.meta.dirname, "path/program.ts");

it(`a relayed chat completion runs at most ${MOST} functions of the product`, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=manifold", program]);
  const { functions } = JSON.parse(stdout) as { functions: number };
  // Far fewer mean that the program no longer measures a request.
  expect(functions).toBeGreaterThan(MOST - 50);
  expect(functions, "functions: `npm run path -- list` names them by file").toBeLessThanOrEqual(MOST);
});
