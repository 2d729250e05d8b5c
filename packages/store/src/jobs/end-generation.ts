import type { Engine, Work } from "../engine/engine.ts";
import { type End, prepareEnd } from "../money/end.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Latencies, NotedEnd } from "../usage/latencies.ts";

/** The end of a job's generation, in the commit that ends the job. */
export function prepareEndGeneration(
  engine: Engine,
  { alerts, latencies }: { alerts: Alerts; latencies: Pick<Latencies, "note"> },
) {
  const end = prepareEnd(engine, { alerts });
  return {
    /** Ends it. It must be pending while the job runs; otherwise the whole commit fails. */
    *endGeneration(ending: End): Work<NotedEnd> {
      const [done] = yield* end([ending]);
      if (done?.ended.outcome !== "written" || !done.entry)
        throw new Error(`the generation of job "${ending.id}" is not pending`);
      return { id: ending.id, entry: done.entry, route: ending.route };
    },
    /** Resolves to whether a job was ended, and notes its generation if it has one. */
    async noted(ending: Promise<NotedEnd | boolean>): Promise<boolean> {
      const ended = await ending;
      if (typeof ended === "boolean") return ended;
      latencies.note(ended);
      return true;
    },
  };
}
