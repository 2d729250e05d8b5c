import { ObjectFault } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import { orderOf } from "./orders.ts";
import { databases, useStage } from "./stage.ts";

describe.each(databases)("refused jobs on %s", (_, make) => {
  const stage = useStage(make);

  test.each([
    ["credit that does not cover it", 0, 10, 403],
    ["too many jobs", 1_000_000_000, 0, 429],
  ])("%s is reported as a refusal, whatever the object store answers", async (_, credit, live, status) => {
    const caller = await stage().caller(credit);
    const objects = {
      ...stage().objects,
      remove: () => Promise.reject(new ObjectFault("unavailable")),
    };
    const desk = stage().worker({ objects, limits: { ask: 1, maxLiveJobs: live } });
    await expect(desk.submit(orderOf("reading", caller))).rejects.toMatchObject({ status });
    expect(stage().logged).toMatchObject([{ level: "warn", message: "job left objects behind" }]);
  });
});
