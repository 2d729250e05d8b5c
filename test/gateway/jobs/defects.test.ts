import { adapters } from "@manifold-gateway/providers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { orderOf } from "./orders.ts";
import { useStage } from "./stage.ts";

const stage = useStage(makeSqlite);
afterEach(() => void vi.restoreAllMocks());

const adapter = adapters.image.mediastyle as NonNullable<typeof adapters.image.mediastyle>;
const fail = (): never => {
  throw new TypeError("a mistake of ours");
};
const defects = () =>
  stage().logged.filter(({ level, message }) => level === "error" && message === "defect");

describe("a defect in submitting a job", () => {
  test("a defect before anything was sent ends the job as internal, at no cost, and does not blame the provider", async () => {
    vi.spyOn(adapter, "submit").mockImplementation(fail);
    const heard = vi.fn();
    const unsent = vi.fn();
    const worker = stage().worker({ onSubmitted: heard, onNotDispatched: unsent });
    const caller = await stage().caller();
    const { id } = await worker.submit(orderOf("image by address", caller));
    worker.start();
    const job = await stage().finish(worker, { id, accountId: caller.accountId });
    expect(job).toMatchObject({ state: "failed", error: { kind: "internal" } });
    const record = await stage().store.generations.get({ id, accountId: caller.accountId });
    expect(record).toMatchObject({ status: "failed" });
    expect(record?.cost ?? 0).toBe(0);
    expect(defects()).toHaveLength(1);
    expect(defects()[0]?.fields.error).toMatch(/a mistake of ours\n\s+at /);
    expect(heard).not.toHaveBeenCalled();
    expect(unsent).toHaveBeenCalledTimes(1);
    expect(stage().logged.some(({ message }) => message.includes("orphaned"))).toBe(false);
  });

  test("a defect after a call was made leaves its outcome unknown, and is logged", async () => {
    const caller = await stage().caller();
    const order = orderOf("image by address", caller);
    const { submit } = adapter;
    vi.spyOn(adapter, "submit").mockImplementation(async (line, ask, preview) => {
      await submit(line, ask, preview);
      return fail();
    });
    const heard = vi.fn();
    const worker = stage().worker({ onSubmitted: heard });
    const { id } = await worker.submit(order);
    worker.start();
    const job = await stage().finish(worker, { id, accountId: caller.accountId });
    expect(job.error?.message).toMatch(/^It is unknown whether/);
    expect(defects()).toHaveLength(1);
    expect(heard).not.toHaveBeenCalled();
  });
});
