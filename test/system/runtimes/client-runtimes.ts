import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launch, missing as noBrowser } from "../../console/browser.ts";
import { bundleForPage, bundleForWorkerd } from "./bundle.ts";
import { program, startProcess } from "./start.ts";

/** A runtime in which the program of the client runs. */
export interface ClientRuntime {
  name: string;
  /** Why it cannot be tried here, where it cannot. */
  missing?: string | undefined;
  /** What the program returns, with the simulator at this origin as its provider. */
  run(upstream: string): Promise<unknown>;
}

const root = join(import.meta.dirname, "../../..");
const programs = join(import.meta.dirname, "programs");
const main = join(programs, "client-main.ts");

/** A runtime that runs the sources, and prints what the program returns. */
function ofSources(name: string, path: string | undefined, args: readonly string[] = []): ClientRuntime {
  return {
    name,
    missing: path === undefined ? `${name} is not on the path` : undefined,
    async run(upstream) {
      const words = [...args, "--conditions=manifold", main, upstream];
      const { stdout } = await promisify(execFile)(path!, words, { cwd: root });
      return JSON.parse(stdout);
    },
  };
}

const workerd = program("workerd");

export const runtimes: ClientRuntime[] = [
  ofSources("node", process.execPath),
  // No variables, and a question about a permission is an error.
  ofSources("deno", program("deno"), ["run", "--no-lock", "--no-prompt", "--allow-net", "--allow-read"]),
  ofSources("bun", program("bun")),
  {
    name: "workerd",
    missing: workerd === undefined ? "workerd is not on the path" : undefined,
    async run(upstream) {
      const folder = mkdtempSync(join(tmpdir(), "manifold-workerd-"));
      for (const [name, text] of await bundleForWorkerd(join(programs, "client-worker.ts"), false))
        writeFileSync(join(folder, name), text);
      const command = [workerd!, "serve", "config.capnp", "--control-fd=1"];
      const running = await startProcess(command, { UPSTREAM: upstream }, folder);
      const answer = await running.fetch(new Request("http://worker.test/"));
      const text = await answer.text();
      await running.close();
      rmSync(folder, { recursive: true });
      return JSON.parse(text);
    },
  },
  {
    name: "chromium",
    missing: noBrowser,
    async run(upstream) {
      const code = await bundleForPage(join(programs, "client.ts"));
      const browser = await launch();
      try {
        const page = await (await browser.newContext()).newPage();
        // Any page of the provider's own origin: of another one, the provider would have to allow the call.
        await page.goto(`${upstream}/v1/models`);
        const module = `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: "text/javascript" }))`;
        const answers = `import(${module}).then(({ answersOf }) => answersOf("${upstream}"))`;
        return JSON.parse(await page.evaluate(`${answers}.then(JSON.stringify)`));
      } finally {
        await browser.close();
      }
    },
  },
];
