import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environmentOf } from "../../../apps/server/src/config/environment.ts";
import { loadConfig, parseConfig } from "../../../apps/server/src/config/load.ts";

const NAMES = ["DATABASE_URL", "MANIFOLD_ADMIN_KEY", "MANIFOLD_DEV_KEY", "OPENAI_API_KEY"];
const provider = { protocol: "msgstyle", origin: "http://127.0.0.1:9", key: `$${"{LOCAL_KEY}"}` };
const value = { providers: { local: provider } };

describe("secrets in files", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "manifold-secrets-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it.each(NAMES)("%s can be given as a file, whose last line end is dropped", (name) => {
    for (const end of ["", "\n", "\r\n"]) {
      const file = write("secret", `a secret \n of two lines${end}`);
      const env = environmentOf({ [`${name}_FILE`]: file });
      expect(env).toEqual({ [name]: "a secret \n of two lines" });
    }
  });

  it("the file of a variable that a configuration names is read, again at each load", () => {
    const config = write("manifold.json", JSON.stringify(value));
    const env = { LOCAL_KEY_FILE: write("local", "first\n") };
    const key = () => loadConfig(config, environmentOf(env)).providers.local?.key;
    expect(key()).toBe("first");
    write("local", "second\n");
    expect(key()).toBe("second");
  });

  it("the file of a preset's key gives the preset its key", () => {
    const env = environmentOf({ OPENROUTER_API_KEY_FILE: write("preset", "key-of-a-file\n") });
    const config = parseConfig({ providers: { own: { preset: "openrouter" } } }, env);
    expect(config.providers.own?.key).toBe("key-of-a-file");
  });

  it("a variable that is set beside its file is an error, which names both and shows neither", () => {
    const file = write("both", "hidden-one");
    const known = () => environmentOf({ MANIFOLD_ADMIN_KEY: "hidden-two", MANIFOLD_ADMIN_KEY_FILE: file });
    const named = () => parseConfig(value, { LOCAL_KEY: "hidden-two", LOCAL_KEY_FILE: file });
    expect(known).toThrow("MANIFOLD_ADMIN_KEY and MANIFOLD_ADMIN_KEY_FILE are both set");
    expect(named).toThrow("providers.local.key: LOCAL_KEY and LOCAL_KEY_FILE are both set");
    for (const load of [known, named]) expect(load).not.toThrow("hidden");
    // An empty variable counts as one that is not set.
    expect(environmentOf({ MANIFOLD_ADMIN_KEY: "", MANIFOLD_ADMIN_KEY_FILE: file })).toEqual({
      MANIFOLD_ADMIN_KEY: "hidden-one",
    });
  });

  it("a file that is missing or empty is an error, also where the configuration has a fallback", () => {
    const withFallback = { providers: { local: { ...provider, key: `$${"{LOCAL_KEY:-none}"}` } } };
    const missing = join(folder, "missing");
    expect(() => parseConfig(withFallback, { LOCAL_KEY_FILE: missing })).toThrow(
      `providers.local.key: LOCAL_KEY_FILE: ${missing}: no such file`,
    );
    expect(() => environmentOf({ DATABASE_URL_FILE: write("empty", "\n") })).toThrow("the file is empty");
  });

  it("files that other programs name are not read", () => {
    const env = { SSL_CERT_FILE: join(folder, "missing"), MANIFOLD_ENV_FILE: write("env", "LOCAL_KEY=x\n") };
    expect(environmentOf(env)).toEqual({ ...env, LOCAL_KEY: "x" });
  });
});
