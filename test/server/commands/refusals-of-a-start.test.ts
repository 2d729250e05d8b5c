import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { embeddedConfig } from "../../../apps/server/src/config/embedded.ts";
import { readText } from "../../../apps/server/src/config/read.ts";
import { describeError } from "../../../apps/server/src/error-message.ts";
import { listen } from "../../../apps/server/src/listener/listen.ts";

const SECRETS = { session: "0".repeat(64), seal: "0".repeat(64) };

describe("what keeps a service from starting", () => {
  it.each([
    ["PORT", "a", /^ {2}PORT: must be a number/m],
    ["MANIFOLD_WARM_UP", "a", /^ {2}MANIFOLD_WARM_UP: must be a number/m],
    ["MANIFOLD_ADMIN_KEY", "short", /^ {2}MANIFOLD_ADMIN_KEY: must have 32 characters/m],
    ["DATABASE_URL", "mysql://a", /^ {2}DATABASE_URL: must begin with sqlite: or postgres:/m],
    ["MANIFOLD_OBJECTS", "a", /^ {2}MANIFOLD_OBJECTS: must begin with file: or s3:/m],
  ])("is told by the name of the variable %s where there is no file", (name, value, told) => {
    expect(() => embeddedConfig("http://127.0.0.1", { [name]: value }, SECRETS)).toThrow(told);
  });

  it("is told with the setting if this machine has no such address", async () => {
    const attempt = listen(createServer(), { host: "192.0.2.1", port: 0 });
    await expect(attempt).rejects.toThrow(
      /^this machine has no address 192\.0\.2\.1; choose another host by --host, by server\.host .* HOST/,
    );
  });

  it("is told in a sentence, without a stack, where the system refuses it", () => {
    const refused = (): unknown => {
      try {
        return mkdirSync(`${import.meta.filename}/folder`);
      } catch (error) {
        return error;
      }
    };
    expect(describeError(refused())).toMatch(/^ENOTDIR: not a directory, mkdir '.*folder'$/);
    expect(describeError(new TypeError("a defect"))).toContain("    at ");
  });

  it("is told if a folder is named in place of a file", () => {
    expect(() => readText(import.meta.dirname)).toThrow(/commands: is a folder, and not a file$/);
  });
});
