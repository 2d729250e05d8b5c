import { defineFailures } from "../../family/decode-failure.ts";

export const { decode: decodeFailure, readInBand } = defineFailures("responses");
