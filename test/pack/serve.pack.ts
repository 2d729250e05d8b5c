import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Fresh } from "./fresh.ts";
import { describeFresh } from "./project.ts";

/** The address that the service prints, or an error with all it said instead. */
function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let said = "";
  return new Promise((done, fail) => {
    stdout?.on("data", (chunk) => {
      said += chunk;
      const [, origin] = /listens on (http:\S+)/.exec(said) ?? [];
      if (origin) done(origin);
    });
    stderr?.on("data", (chunk) => (said += chunk));
    stdout?.on("close", () => fail(new Error(said)));
  });
}

async function serve({ project }: Fresh, node: string) {
  const folder = mkdtempSync(join(project, "served-"));
  const command = join(project, "node_modules/.bin/manifold");
  const env = { PATH: process.env.PATH, PORT: "0" };
  const server = spawn(node, [command], { cwd: folder, env });
  const origin = await addressOf(server);
  const [key = ""] = /mfk_\w+/.exec(readFileSync(join(folder, "data/development.txt"), "utf8")) ?? [];
  const ask = (path: string, body: object) =>
    fetch(`${origin}${path}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return { server, origin, ask };
}

describeFresh("the service from its tarball", (fresh) => {
  it.each(Object.entries(fresh.nodes))(
    "answers text and pictures, shows its pages and stops in order on %s",
    async (_, node) => {
      const { server, origin, ask } = await serve(fresh, node);
      try {
        const messages = [{ role: "user", content: "Hello" }];
        const text = await ask("/api/chatstyle/v1/chat/completions", { model: "sim-messages", messages });
        expect(await text.json()).toMatchObject({ choices: [{ message: { content: "You said: Hello" } }] });
        // Pictures are measured in a thread, whose file is found in another way.
        const content = [{ type: "text", text: "A lighthouse at dusk." }];
        const picture = await ask("/api/v1/image/generations", { model: "sim-image", content });
        expect(await picture.json()).toMatchObject({ usage: { generatedImages: 1 } });
        expect((await fetch(`${origin}/console/`)).status).toBe(200);
      } finally {
        server.kill("SIGTERM");
      }
      expect(await once(server, "exit")).toEqual([0, null]);
    },
  );
});
