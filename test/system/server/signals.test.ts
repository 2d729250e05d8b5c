import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE } from "../../support/environment.ts";
import { MAIN } from "../../support/program.ts";

/** A start waits for this list of models, which is sent when the test says so. */
let lister: Server;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-signals-"));
  lister = createServer().listen(0, "127.0.0.1");
  await once(lister, "listening");
});
afterAll(() => {
  lister.closeAllConnections();
  lister.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Starting {
  child: ChildProcess;
  /** Resolves once the output has this text. */
  said(text: string): Promise<void>;
  exited: Promise<unknown[]>;
  /** Lets the start go on. */
  list(): void;
}

/** A start that does not listen yet. */
async function begin(): Promise<Starting> {
  const { port } = lister.address() as AddressInfo;
  const asked = once(lister, "request");
  const child = spawn(process.execPath, ["--conditions=manifold", MAIN], {
    cwd: mkdtempSync(join(folder, "home-")),
    env: { ...BARE, PORT: "0", MANIFOLD_WARM_UP: "0", LLAMACPP_ORIGIN: `http://127.0.0.1:${port}/v1` },
  });
  let output = "";
  const exited = once(child, "close");
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const said = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      const more = Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
      await Promise.race([
        more,
        exited.then(() => {
          throw new Error(`ended: ${output}`);
        }),
      ]);
    }
  };
  const [, response] = (await asked) as [unknown, ServerResponse];
  const list = (): void => {
    lister.on("request", (_, later: ServerResponse) => later.end('{"data":[]}'));
    response.end('{"data":[{"id":"local-model"}]}');
  };
  return { child, said, exited, list };
}

describe("signals during a start", () => {
  it("ends at once, in order, at SIGTERM", async () => {
    const { child, exited, said } = await begin();
    child.kill("SIGTERM");
    await said('"msg":"stopping"');
    expect(await exited).toEqual([0, null]);
  });

  it("reads its settings again at SIGHUP once it listens, and says that it stops at SIGTERM", async () => {
    const { child, exited, said, list } = await begin();
    child.kill("SIGHUP");
    list();
    await said("listens on");
    await said('"msg":"config reloaded"');
    child.kill("SIGTERM");
    await said('"signal":"SIGTERM","msg":"stopping"');
    expect(await exited).toEqual([0, null]);
  });
});
