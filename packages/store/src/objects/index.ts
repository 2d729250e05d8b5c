export { type BucketOptions, openBucket } from "./bucket.ts";
export { type DiskOptions, openDisk } from "./disk.ts";
export { contentDisposition, safeFilename } from "./disposition.ts";
export { ObjectFault, type ObjectFaultCode } from "./fault.ts";
export { isMediaType, isObjectKey } from "./key.ts";
export { createLinks, type LinkOptions, type LinkSecret, type Links, type OpenedLink } from "./links.ts";
export {
  type ByteRange,
  type ByteSource,
  LINK_LIFE,
  type LinkTerms,
  OBJECT_LIMIT,
  type ObjectInfo,
  type Objects,
  type PutOptions,
  type StoredObject,
} from "./objects.ts";
export { readRange } from "./range.ts";
export { type ObjectAnswer, type ObjectRequest, type Presentation, serveLink, serveObject } from "./serve.ts";
