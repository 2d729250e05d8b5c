import models from "./models.json" with { type: "json" };

export type { DemoGateway, DemoHost, VirtualParts } from "./host.ts";
export { type Making, makeMonth } from "./make.ts";
export { orderVideos } from "./running-jobs.ts";
/** The configuration of the models that the traffic uses in addition to the simulator's. */
export { models };
