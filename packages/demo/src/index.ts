import file from "./models.json" with { type: "json" };

export type { DemoHost } from "./host.ts";
export { makeMonth } from "./make-month.ts";
export { orderVideos } from "./running-jobs.ts";
/**
 * The configuration of the models that the traffic uses in addition to the simulator's, by their ids. Annotated: an
 * inferred type would make the declarations import the JSON file, which not every resolution allows.
 */
export const models: Record<string, object> = file;
