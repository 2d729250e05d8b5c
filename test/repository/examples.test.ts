import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const folder = resolve(import.meta.dirname, "../../examples");

const programs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  /^[^/\\]+\.ts$|[/\\]main\.ts$/.test(file),
);

it.concurrent.each(programs.filter((file) => !/node_modules|support/.test(file)))(
  "%s runs by itself",
  async (file) => {
    const failed = await new Promise<string>((done) => {
      execFile(
        process.execPath,
        ["--conditions=manifold", join(folder, file)],
        { timeout: 60_000 },
        (error, out, err) => done(error ? `${error.message}\n${out}\n${err}` : ""),
      );
    });
    expect(failed).toBe("");
  },
);
