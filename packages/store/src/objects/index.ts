export { type BucketOptions, openBucket } from "./bucket.ts";
export { type DiskOptions, openDisk } from "./disk.ts";

export { ObjectFault } from "./fault.ts";

export { createLinks, type Links } from "./links.ts";
export {
  LINK_LIFE,
  type Objects,
} from "./objects.ts";

export { type ObjectAnswer, serveLink, serveObject } from "./serve.ts";
