import { presetParts, presets } from "@manifold-gateway/providers";
import { z } from "zod";
import { defineRoute } from "../route.ts";

const preset = z
  .object({
    id: z.string().describe("The value of `preset` in a configuration."),
    name: z.string(),
    kind: z.enum(["maker", "host", "cloud", "router", "server"]),
    origin: z.string().describe("`{region}` stands for a part of the address."),
    protocols: z.array(z.string()),
    serves: z.array(z.string()).describe("Its operations besides text, such as `image`."),
    parts: z.array(
      z.object({ name: z.string(), default: z.string().optional(), values: z.array(z.string()).optional() }),
    ),
    keyVariable: z.string().optional().describe("The variable that its key is usually in."),
    isKeyless: z.boolean().describe("True for servers of one's own, which need no key."),
    isSigned: z.boolean().describe("True if calls need an identity instead of a key: `auth`."),
    note: z.string().optional(),
  })
  .meta({ id: "Preset" });

/** Lists the known providers, by which operators declare one with its key alone. */
export const presetsRoute = defineRoute({
  method: "GET",
  path: "/presets",
  access: "operator",
  summary: "List the known providers",
  about: "A provider that is declared by its `preset` needs at most its key, and the parts of its address.",
  answer: z.object({ presets: z.array(preset) }),
  examples: { all: {} },
  uses: [],
  handler: () => ({
    body: {
      presets: Object.entries(presets).map(([id, row]) => ({
        ...{ id, name: row.name, kind: row.kind, origin: row.origin },
        protocols: [...row.speaks],
        serves: Object.keys(row.serves ?? {}),
        parts: presetParts(row).map((name) => ({
          name,
          ...(row.parts?.[name]?.default !== undefined && { default: row.parts[name].default }),
          ...(name === "region" && row.regions && { values: Object.keys(row.regions) }),
        })),
        ...(row.keyVariable !== undefined && { keyVariable: row.keyVariable }),
        isKeyless: row.kind === "server",
        isSigned: row.auth !== undefined && "kind" in row.auth,
        ...(row.note !== undefined && { note: row.note }),
      })),
    },
  }),
});
