import { MODALITIES, OUTCOMES } from "@manifold-gateway/store";
import { z } from "zod";
import { restrictionsField } from "../../access/restriction-fields.ts";
import { archivedUntilField } from "../../account/archived-until.ts";
import { GUARD_PHASES } from "../../guards/phases.ts";
import { FALLBACK_CAUSES } from "../../text/fallback-causes.ts";

/** An amount in US dollars. */
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

const generationShape = {
  id: z.string(),
  userId: z.string(),
  apiKeyId: z.string().optional(),
  modality: z.enum(MODALITIES),
  model: z.string(),
  requestedModel: z.string().optional().describe("The caller's name for the model, where that is an alias."),
  status: z.enum([...OUTCOMES, "pending"]),
  request: z.looseObject({}).optional().describe("The request as received, with media truncated."),
  requestKept: z
    .literal(false)
    .optional()
    .describe("In place of `request` if it was not stored or has expired."),
  reply: z
    .looseObject({ choices: z.array(z.looseObject({})) })
    .optional()
    .describe(
      "The reply of a text model in its canonical form, as far as `records.replies` keeps it: for each choice its `parts` (text, reasoning, calls, media cut short) and its `finish`. `truncated`: there was more of it.",
    ),
  usage: z.looseObject({}).optional(),
  usdCost: usd.optional(),
  durationMs: z.number().optional(),
  surface: z
    .string()
    .optional()
    .describe("The surface that it came by; absent in records of earlier versions."),
  fallback: z
    .object({ from: z.string(), cause: z.enum(FALLBACK_CAUSES) })
    .optional()
    .describe("The model that the caller asked for, where this one was asked in its place, and why."),
  cache: z
    .object({ of: z.string(), age: z.number(), usdSaved: usd })
    .optional()
    .describe("The generation whose answer was given once more, its age in seconds, and what that saved."),
  guards: z
    .array(
      z.object({
        guard: z.string(),
        phase: z.enum(GUARD_PHASES),
        decision: z.enum(["allowed", "masked", "refused", "unanswered"]),
        reason: z.string().optional(),
        masked: z.number().optional().describe("Texts that it changed."),
        ms: z.number(),
      }),
    )
    .optional()
    .describe("What guards decided about the request and its answer."),
  requestId: z.string().optional().describe("The `x-request-id` of the answer."),
  entry: z.string().optional().describe("The model entry that served it, by its neutral id."),
  provider: z.string().optional().describe("Shown to operators only."),
  name: z.string().optional().describe("The provider's own name for the model; shown to operators only."),
  translated: z.boolean().optional(),
  attempts: z.array(z.looseObject({ entry: z.string() })).optional(),
  losses: z
    .array(loss)
    .optional()
    .describe("The parts of the request that the provider's protocol could not express."),
  replyLosses: z.array(loss).optional(),
  tags: z.record(z.string(), z.string()).optional().describe("The tags in its `x-tags`."),
  user: z.string().optional().describe("The end user's id in the request."),
  createdAt: moment,
};
export const generation = z.object(generationShape).meta({ id: "GenerationRecord" });

export const usagePage = z.object({
  results: z.array(generation),
  total: z.int().optional().describe("Not with `after` or `sort`."),
  offset: z.int().optional(),
  limit: z.int(),
  since: moment
    .optional()
    .describe("With `sort`: only records from then on were compared; older ones were too many."),
  next: z.string().optional().describe("The value of `after` for the next page, if there may be one."),
  archivedUntil: archivedUntilField,
});

const amounts = z
  .object({ daily: usd, weekly: usd, monthly: usd, total: usd })
  .partial()
  .describe("Spend caps in US dollars; an absent window has no cap.");

const keyShape = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of the key."),
  isActive: z.boolean(),
  limits: amounts,
  restrictions: restrictionsField.optional(),
  createdAt: moment,
  lastUsedAt: moment
    .optional()
    .describe("When its last request came, to the second; a process writes it within two seconds."),
  lastUsedFrom: z.string().optional().describe("The address that its last request came from."),
  revokedAt: moment.optional(),
};
export const key = z.object(keyShape).meta({ id: "ApiKey", description: "Never contains the key itself." });
export const newKey = z
  .object({ ...keyShape, key: z.string().describe("The raw key.") })
  .meta({ id: "NewApiKey" });
export const revealedKey = z.object({ id: z.string(), key: z.string() });

const cap = z
  .object({ limit: usd, spent: usd.describe("Spend in the current window."), remaining: usd.min(0) })
  .optional();
const capsShape = { daily: cap, weekly: cap, monthly: cap, total: cap };
export const keyList = z.object({
  results: z.array(
    z.object({ ...keyShape, caps: z.object(capsShape).optional().describe("Only with `with=spend`.") }),
  ),
  total: z.int(),
  defaults: z
    .object({ limits: amounts, restrictions: restrictionsField.optional() })
    .optional()
    .describe("What a new key has where its request does not say otherwise."),
});
const keyInfoShape = {
  name: z.string(),
  isActive: z.boolean(),
  ...capsShape,
};
export const keyInfo = z.object(keyInfoShape).meta({ id: "KeyInfo" });
export const capsOfKey = z.object({ id: z.string(), ...keyInfoShape });

export const balance = z.object({ creditBalance: usd });

const accountShape = {
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  creditBalance: usd,
  held: usd.describe("Credit held for generations that have not ended."),
  login: z.string().optional(),
  createdAt: moment,
};
export const account = z.object(accountShape).meta({ id: "Account" });
export const listedAccount = z.object({
  ...accountShape,
  spend30Days: usd
    .optional()
    .describe("Only with `with=spend`: the cost of its requests of the last 30 days."),
});
export const credited = z.object({
  ...accountShape,
  reference: z.string(),
  credited: z.boolean().describe("False if this reference was credited before."),
});

export const refunded = z.object({
  ...accountShape,
  generationId: z.string(),
  amount: usd.describe("The refunded amount, now or before."),
  refunded: z.boolean().describe("False if the charge was refunded before."),
});

export const movement = z
  .object({
    id: z.string(),
    kind: z.string(),
    amount: usd.describe("Above 0: credit. Below 0: a charge."),
    generationId: z
      .string()
      .optional()
      .describe("Absent for credit, and for one charge of several generations."),
    createdAt: moment,
    balance: usd.optional().describe("The balance after it, in the order of the ledger."),
  })
  .meta({ id: "Movement" });
export const movements = z.object({ results: z.array(movement) });

const costLine = z.object({
  unit: z.string(),
  count: z.number(),
  rate: z.int().describe("Micro-USD per million."),
});
const providerError = z
  .object({
    code: z.string().optional(),
    type: z.string().optional(),
    message: z.string().optional().describe("The provider's own sentence."),
    body: z.string().optional().describe("The beginning of its body: at most 2 KB."),
  })
  .describe("What the provider answered, as far as `records.requests` keeps it.")
  .meta({ id: "ProviderError" });

export const generationDetail = z
  .object({
    ...generationShape,
    attempts: z
      .array(z.looseObject({ entry: z.string(), error: providerError.optional() }))
      .optional()
      .describe("The calls of providers, in order."),
    replyKept: z
      .literal(false)
      .optional()
      .describe("In place of `reply` if there is none, or it was not stored or has expired."),
    price: z.record(z.string(), z.int()).optional().describe("Micro-USD per million of each unit."),
    microCost: z.int().optional().describe("The charge in micro-USD."),
    microHeld: z
      .int()
      .describe(
        "The credit that is held for it until it ends, in micro-USD; what it does not cost is given back.",
      ),
    isLeased: z
      .boolean()
      .describe(
        "The hold is taken from credit that the process has set aside for several requests of the key.",
      ),
    lines: z
      .array(costLine)
      .describe("The sum of `count * rate`, divided by a million and rounded up, is the charge."),
    candidates: z
      .array(z.looseObject({ entry: z.string() }))
      .describe("The entries that could have served it, in order, and the skipped ones with the reason."),
    speed: z.looseObject({}).optional().describe("Time to the first token, and tokens per second."),
    movements: z.array(movement).describe("Its movements of the account's credit."),
  })
  .meta({ id: "GenerationDetail" });

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

export const auditReport = z.object({
  differences: z.array(z.looseObject({})),
  totals: z
    .object({ credited: usd, charged: usd, refunded: usd, balances: usd, held: usd, records: z.int() })
    .describe(
      "Totals of all accounts. `credited - charged + refunded` is `balances`; `held` is a part of the balances.",
    ),
  ms: z.int().describe("Duration in milliseconds."),
});

export const bookedDays = z.object({
  results: z.array(
    z.object({
      day: z.iso.date(),
      credited: usd,
      charged: usd.describe("Charges minus corrections."),
      refunded: usd,
    }),
  ),
  from: moment,
});

export const browserSession = z
  .object({
    accountId: z.string(),
    name: z.string(),
    login: z.string().optional(),
    expiresAt: moment,
  })
  .meta({ id: "BrowserSession" });

export const token = z.object({ token: z.string(), tokenType: z.literal("Bearer"), expiresAt: moment });
