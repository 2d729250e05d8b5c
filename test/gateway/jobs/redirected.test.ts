import { createServer } from "node:http";
import { createLineClient, createTransport, type Line } from "@manifold-gateway/providers";
import { sampleNamed } from "@manifold-gateway/simulator";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../support/listen.ts";
import { orderOf } from "./orders.ts";
import { databases, useStage } from "./stage.ts";

describe.each(databases)("redirected outputs of jobs on %s", (_, make) => {
  const stage = useStage(make);

  test.each(["video behind a router", "video operation"] as const)(
    "of a %s, the file is stored from where its provider redirects to, without the key",
    async (name) => {
      const keys: unknown[] = [];
      const elsewhere = await listen(
        createServer(({ headers }, response) => {
          keys.push(headers.authorization ?? headers["x-goog-api-key"]);
          response.end(sampleNamed("640x480.mp4")!.bytes);
        }),
      );
      const transport = createTransport();
      onTestFinished(() => Promise.all([elsewhere.close(), transport.close()]).then(() => {}));
      const usual = createLineClient(transport);
      const client = ((url: string, options: object) =>
        /\/content\?|:download\b/.test(url)
          ? Promise.resolve(new Response(null, { status: 302, headers: { location: elsewhere.origin } }))
          : usual(url, options)) as unknown as Line["client"];
      const caller = await stage().caller();
      const worker = stage().worker({ client });
      worker.start();
      const order = orderOf(name, caller);
      await worker.submit(order);
      const job = await stage().finish(worker, { id: order.id, accountId: caller.accountId });
      expect(job.state).toBe("succeeded");
      expect(keys).toEqual([undefined]);
    },
  );
});
