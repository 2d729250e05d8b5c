import { googleBodies } from "./google.ts";
import { messagesBodies } from "./messages.ts";
import { openaiBodies } from "./openai.ts";
import { otherHostsBodies } from "./other-hosts.ts";
import { serversBodies } from "./servers.ts";
import type { RefusalBody } from "./shapes.ts";
import { strictHostsBodies } from "./strict-hosts.ts";

export { others } from "./others.ts";

/** Error bodies of vendors, and what they say of their models. */
export const bodies: readonly RefusalBody[] = [
  ...openaiBodies,
  ...messagesBodies,
  ...googleBodies,
  ...strictHostsBodies,
  ...otherHostsBodies,
  ...serversBodies,
];
