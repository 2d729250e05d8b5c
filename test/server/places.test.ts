import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreUnavailable } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explain } from "../../apps/server/src/commands/explain.ts";
import { parseConfig } from "../../apps/server/src/config/load.ts";
import { ConfigError } from "../../apps/server/src/config/read.ts";
import { openStore } from "../../apps/server/src/host.ts";
import { openMedia } from "../../apps/server/src/media-store.ts";

let folder: string;
/** A file, where a folder ought to be. */
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-places-"));
  file = join(folder, "file");
  writeFileSync(file, "{");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What was thrown. */
const thrown = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error("nothing was thrown"),
    (error: Error) => error,
  );

describe("places that cannot be opened", () => {
  it.each([
    ["below a file", () => join(file, "manifold.db")],
    ["that is a folder", () => folder],
  ])("a database %s is reported in one line", async (_, place) => {
    const error = await thrown(openStore(`sqlite:${place()}`));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error.message).toContain(place());
    expect(error.message).not.toContain("\n");
  });

  it("a folder of files below a file is reported in one line", async () => {
    const place = `file:${join(file, "objects")}`;
    const error = await thrown(openMedia(parseConfig({ objects: place }, {})));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(/ENOTDIR/);
    expect(error.message).toContain(`objects: ${place}`);
  });

  it.each([
    ["that is missing", () => join(folder, "missing.json"), /no such file/],
    ["that is no JSON", () => file, /not valid JSON/],
  ])("the body of an explanation %s is reported in one line", async (_, body, why) => {
    const options = { surface: "chatstyle", body: body(), config: join(folder, "manifold.json") };
    writeFileSync(options.config, JSON.stringify({ store: "sqlite::memory:" }));
    const error = await thrown(
      explain({ words: [], options, env: {}, print: () => {}, read: async () => "" }),
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toContain(body());
    expect(error.message).toMatch(why);
  });
});
