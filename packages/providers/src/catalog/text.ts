import type { Traits } from "@manifold-gateway/core/codec";

/**
 * The traits of known text models by their vendors' names, on any provider: the first matching row applies. Without a
 * row, the newest behaviour of the protocol is assumed. As of November 2026.
 */
const rows: readonly [names: RegExp, traits: Traits][] = [
  [/\bgemini-(1|2\.0)(?!.*think)/, { thinkingBy: "budget", thinking: [] }],
  [/\bgemini-2\.5.{0,40}-(image|tts)/, { thinkingBy: "budget", thinking: [] }],
  // This model always thinks.
  [/\bgemini-2\.5-pro/, { thinkingBy: "budget", thinking: ["adaptive", "manual"] }],
  [/\bgemini-2/, { thinkingBy: "budget" }],
  [/\bgemini-([3-9]|\d\d)/, { thinkingBy: "level" }],
  [/\bgemma-[1-3]/, { thinkingBy: "budget", thinking: [] }],
  [/\bclaude-(instant|2|3-(opus|sonnet|haiku)|3[-.]5)/, { thinking: [] }],
  // These models take a budget; efforts came later.
  [/\bclaude-(3[-.]7|(opus|sonnet|haiku)-4(?![-.][6-9](?!\d)))/, { thinking: ["manual", "off"] }],
  [
    /\bclaude-(opus|sonnet|haiku)-(4[-.][7-9]|[5-9])(?!\d)/,
    { thinking: ["adaptive", "off"], sampling: false },
  ],
  [/\b(chat)?gpt-(3\.5|4)/, { thinking: [] }],
  [/\bgpt-5[^/]{0,40}-chat/, { thinking: [] }],
];

/** The known traits of the text model of this name, which may begin with a vendor, as on routers. */
export const knownTraits = (name: string): Traits =>
  rows.find(([names]) => names.test(name.toLowerCase()))?.[1] ?? {};
