import type { ParamTable } from "../codec/params.ts";
import type { Protocol } from "../ir/part.ts";
import { params as chatstyle } from "./chatstyle/params.ts";
import { params as conversestyle } from "./conversestyle/params.ts";
import { params as genstyle } from "./genstyle/params.ts";
import { params as msgstyle } from "./msgstyle/params.ts";
import { params as native } from "./native/params.ts";
import { params as responses } from "./responses/params.ts";

/** The parameters of each protocol, for code that needs their names and not the codecs. */
export const paramTables: Readonly<Record<Protocol, ParamTable>> = {
  chatstyle,
  responses,
  msgstyle,
  genstyle,
  conversestyle,
  native,
};
