export { reframe } from "../frames/reframe.ts";
export { type FaultKind, UpstreamFault } from "./fault.ts";
export { createFetchTransport, type FetchOptions } from "./fetch-transport.ts";
export {
  bytesOf,
  type Payload,
  type Pieces,
  type Transport,
  type TransportOptions,
  type UpstreamRequest,
  type UpstreamResponse,
} from "./transport.ts";
export { type ByteProducer, UpstreamBody } from "./upstream-body.ts";
