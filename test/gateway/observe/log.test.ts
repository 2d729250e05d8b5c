import { describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { recordLog } from "../../support/log.ts";
import { startStage } from "../../support/stage.ts";
import { openDesk } from "../account/desk.ts";

const defect = () => {
  throw new TypeError("a defect");
};

describe("the log", () => {
  it("the log has one line for a request, and none for a poll", async () => {
    const desk = await openDesk();
    for (const path of ["/health", "/ready"]) await desk.send("GET", path);
    desk.gateway.markNotReady();
    expect((await desk.send("GET", "/ready")).status).toBe(503);
    expect(desk.lines).toEqual([]);
    await desk.byKey("/api/v1/ai/models");
    expect(desk.lines.length).toBe(1);
    await desk.close();
  });

  it("the log has the address of a request without a valid credential, and of no other", async () => {
    const { log, entries } = recordLog();
    const stage = await startStage({ log });
    for (const key of ["wrong", KEY])
      await fetch(`${stage.origin}/api/v1/ai/models`, { headers: { "x-api-key": key } });
    expect(entries.map(({ fields: { status, address } }) => [status, address])).toEqual([
      [401, "127.0.0.1"],
      [200, undefined],
    ]);
    await stage.close();
  });

  it("the log names the request in every line about one", async () => {
    const desk = await openDesk();
    const { body } = await desk.bySession("POST", "/api-keys", { name: "fresh" });
    await desk.bySession("POST", `/api-keys/${body.id}/reveal`);
    await desk.byAdmin("POST", "/api/admin/accounts/acc/credit", { amount: 1, reference: "r1" });
    const lines = desk.lines.map((line) => JSON.parse(line) as { request?: string; message: string });
    const audits = lines.filter(({ message }) => message === "audit");
    expect(audits.length).toBeGreaterThanOrEqual(3);
    const requests = new Set(lines.filter(({ message }) => message === "request").map((one) => one.request));
    for (const { request } of lines) expect(requests).toContain(request);
    await desk.close();
  });

  it("the log records a defect under the id in the answer, which says nothing more", async () => {
    const access = { byKey: defect, byToken: defect, operatorOf: () => undefined, forget() {} };
    const desk = await openDesk({ access });
    const paths = ["/api/v1/ai/models", "/api/chatstyle/v1/models", "/api/genstyle/v1beta/models"];
    for (const path of paths) {
      const { status, headers, body } = await desk.byKey(path);
      const id = headers.get("x-request-id");
      expect([status, body.errors]).toEqual([500, [`Internal error. Request ${id}.`]]);
      if (body.error) expect(body.error.message).toBe(body.errors[0]);
      const lines = desk.lines.splice(0).map((line) => JSON.parse(line));
      expect(lines.map(({ message, request }) => [message, request])).toEqual([
        ["defect", id],
        ["request", id],
      ]);
      expect(lines[0].error).toContain("a defect");
    }
    await desk.close();
  });
});
