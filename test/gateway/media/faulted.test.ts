import { ObjectFault } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuse } from "../../../packages/gateway/src/http/reply.ts";
import { webExchange } from "../../../packages/gateway/src/http/web.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

describe("an object store that fails behind a generation", () => {
  const told = async (error: unknown, generation?: string) => {
    const defects: unknown[] = [];
    const exchange = webExchange(new Request("http://gateway.test/x"), 1_000);
    const log = { info() {}, warn() {}, error: (fields: object) => void defects.push(fields) };
    refuse(exchange, error, { now: 0, log, id: "request-1", generation });
    const { status, headers } = await exchange.response;
    return [status, headers.get("retry-after"), headers.get("x-generation-id"), defects.length];
  };

  it("a failing object store is reported as temporary, together with the generation", async () => {
    expect(await told(new ObjectFault("unavailable"), "g")).toEqual([503, "1", "g", 0]);
    expect(await told(new ObjectFault("damaged"))).toEqual([503, "1", null, 0]);
    // What we asked of it wrongly does not pass.
    expect(await told(new ObjectFault("bad_key"), "g")).toEqual([500, null, "g", 1]);
    expect(await told(new TypeError("no"))).toEqual([500, null, null, 1]);
  });
});

describe("addresses in tasks", () => {
  it("the addresses that a task shows do not contain credentials", async () => {
    const url = "https://files.example.com/a.png?size=1&X-Amz-Signature=abc&X-Amz-Credential=def&token=ghi";
    const content = [
      { type: "text", text: "a lighthouse" },
      { type: "imageUrl", url, role: "referenceImage" },
    ];
    const { taskId } = await h.json("/api/v1/video/generations", { model: "video", content });
    const task = await h.json(`/api/v1/video/tasks/${taskId}`);
    expect(task.content[1].url).toBe(
      "https://files.example.com/a.png?size=1&X-Amz-Signature=[redacted]&X-Amz-Credential=[redacted]&token=[redacted]",
    );
  });
});
