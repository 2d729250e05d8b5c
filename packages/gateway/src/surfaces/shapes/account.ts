import { MODALITIES, OUTCOMES } from "@manifold/store";
import { z } from "zod";
import { restrictionsField } from "../../restrictions/fields.ts";

/** US dollars. */
const usd = z.number();
const moment = z.iso.datetime();

/** A page of a list. */
export const page = (item: z.ZodType) =>
  z.object({ results: z.array(item), total: z.int(), offset: z.int(), limit: z.int() });

const loss = z.object({
  path: z.string(),
  why: z.enum(["unsupported", "approximated"]),
  detail: z.string().optional(),
});

export const generation = z
  .object({
    id: z.string(),
    userId: z.string(),
    apiKeyId: z.string().optional(),
    modality: z.enum(MODALITIES),
    model: z.string(),
    status: z.enum([...OUTCOMES, "pending"]),
    request: z.looseObject({}).optional().describe("As it came, with media cut short."),
    requestKept: z
      .literal(false)
      .optional()
      .describe("Stands in the place of `request` where that is not kept, or not kept any more."),
    usage: z.looseObject({}).optional(),
    usdCost: usd.optional(),
    durationMs: z.number().optional(),
    entry: z.string().optional().describe("The model entry that served it, by its neutral id."),
    translated: z.boolean().optional(),
    attempts: z.array(z.looseObject({ entry: z.string() })).optional(),
    losses: z.array(loss).optional().describe("What of the request its provider's protocol could not say."),
    replyLosses: z.array(loss).optional(),
    createdAt: moment,
  })
  .meta({ id: "GenerationRecord" });

const amounts = z
  .object({ daily: usd, weekly: usd, monthly: usd, total: usd })
  .partial()
  .describe("Spend caps in US dollars; what is absent is not capped.");

const keyShape = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("How the key begins."),
  isActive: z.boolean(),
  limits: amounts,
  restrictions: restrictionsField.optional(),
  createdAt: moment,
  revokedAt: moment.optional(),
};
export const key = z.object(keyShape).meta({ id: "ApiKey", description: "Never holds the key itself." });
export const newKey = z
  .object({ ...keyShape, key: z.string().describe("The raw key.") })
  .meta({ id: "NewApiKey" });
export const revealedKey = z.object({ id: z.string(), key: z.string() });
export const keyList = z.object({ results: z.array(key), total: z.int() });

const cap = z
  .object({ limit: usd, spent: usd.describe("In the current window."), remaining: usd.min(0) })
  .optional();
const keyInfoShape = {
  name: z.string(),
  isActive: z.boolean(),
  daily: cap,
  weekly: cap,
  monthly: cap,
  total: cap,
};
export const keyInfo = z.object(keyInfoShape).meta({ id: "KeyInfo" });
export const capsOfKey = z.object({ id: z.string(), ...keyInfoShape });

export const balance = z.object({ creditBalance: usd });

const accountShape = {
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  creditBalance: usd,
  held: usd.describe("Held for generations that have not ended."),
  login: z.string().optional(),
  createdAt: moment,
};
export const account = z.object(accountShape).meta({ id: "Account" });
export const credited = z.object({
  ...accountShape,
  reference: z.string(),
  credited: z.boolean().describe("False where this reference was credited before."),
});

export const refunded = z.object({
  ...accountShape,
  generationId: z.string(),
  amount: usd.describe("What was given back, now or before."),
  refunded: z.boolean().describe("False where the charge was given back before."),
});

export const movement = z
  .object({
    id: z.string(),
    kind: z.string(),
    amount: usd.describe("Above 0 it was given, below 0 it was charged."),
    generationId: z.string().optional(),
    createdAt: moment,
  })
  .meta({ id: "Movement" });

export const auditEntry = z
  .object({
    id: z.string(),
    actor: z.string(),
    action: z.string(),
    accountId: z.string().optional(),
    subject: z.string().optional(),
    before: z.looseObject({}).optional(),
    after: z.looseObject({}).optional(),
    request: z.string().optional(),
    address: z.string().optional(),
    createdAt: moment,
  })
  .meta({ id: "AuditEntry" });

export const auditReport = z.object({ differences: z.array(z.looseObject({})) });

export const token = z.object({ token: z.string(), tokenType: z.literal("Bearer"), expiresAt: moment });
