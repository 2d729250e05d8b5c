import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import type { TestProject } from "vitest/node";
import { BUNDLED } from "../../tools/bundle/bundled.ts";

const ROOT = join(import.meta.dirname, "../..");
const MADE = join(ROOT, "node_modules/.cache/programs");

declare module "vitest" {
  interface ProvidedContext {
    /** Answers `?entry=FILE` with the path of that program's bundle, which it makes when it is first asked. */
    bundles: string;
  }
}

/** Gives every test file of a run the same bundles; in watch mode they are made anew for each run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const bundles = new Map<string, Promise<string>>();
  project.onTestsRerun(() => bundles.clear());
  const desk = createServer((request, response) => {
    const entry = new URL(request.url ?? "", "http://localhost").searchParams.get("entry") ?? "";
    const made = bundles.get(entry) ?? makeBundle(entry);
    bundles.set(entry, made);
    made.then(
      (path) => response.end(path),
      (error) => response.writeHead(500).end(`${entry} cannot be bundled: ${error}`),
    );
  });
  desk.listen(0, "127.0.0.1");
  await once(desk, "listening");
  project.provide("bundles", `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return () => void desk.close();
}

/** Modules look for what stands beside their source: threads, data, the console's pages. */
const keepPlaces: Plugin = {
  name: "keep-places",
  enforce: "pre",
  transform: {
    filter: { id: /\.ts$/, code: "import.meta.url" },
    handler: (code, id) => code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
  },
};

async function makeBundle(entry: string): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    plugins: [keepPlaces],
    ssr: { noExternal: BUNDLED, resolve: { conditions: ["manifold", "node"] } },
    build: {
      ssr: join(ROOT, entry),
      target: "esnext",
      write: false,
      rolldownOptions: { output: { entryFileNames: "main.mjs", chunkFileNames: "[name].mjs" } },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = output.flatMap((one) => (one.type === "chunk" ? [one] : []));
  const hash = createHash("sha256").update(entry);
  for (const { code } of chunks) hash.update(code);
  const folder = join(MADE, hash.digest("hex").slice(0, 16));
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code } of chunks) {
    // Other runs may be starting the same program.
    const path = join(folder, fileName);
    writeFileSync(`${path}.${process.pid}`, code);
    renameSync(`${path}.${process.pid}`, path);
  }
  return join(folder, "main.mjs");
}
