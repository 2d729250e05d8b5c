import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "claude-models";

/** The models that take a budget of tokens. */
const manual: Traits = { thinking: ["manual", "off"] };

const adaptive: Traits = { thinking: ["adaptive", "off"], sampling: false };

export const claude: readonly Family[] = [
  { names: ["claude-{instant*,2*}", "claude-3-{opus,sonnet,haiku,5}*"], traits: { thinking: [] }, source },
  {
    names: ["claude-3-7*", "claude-{opus,sonnet}-{4,4-0}", "claude-4-{opus,sonnet}"],
    traits: manual,
    source,
  },
  { names: ["claude-opus-4-1"], traits: manual, source },
  { names: ["claude-{sonnet,haiku}-4-5"], traits: manual, source },
  { names: ["claude-opus-4-5"], traits: manual, source },
  { names: ["claude-{opus,sonnet}-4-6"], traits: {}, source },
  { names: ["claude-opus-4-7"], traits: adaptive, source },
  { names: ["claude-opus-4-8"], traits: adaptive, source },
  { names: ["claude-sonnet-5"], traits: adaptive, source },
  { names: ["claude-opus-5"], traits: adaptive, source },
  { names: ["claude-{fable,mythos}-5", "claude-{fable,mythos}-5-1"], traits: {}, source },
  { names: ["claude-opus-5-5"], traits: adaptive, source },
  { names: ["claude-sonnet-5-5"], traits: adaptive, source },
  { names: ["claude-haiku-5-5"], traits: adaptive, source },
  { names: ["claude-*"], traits: adaptive, source },
];
