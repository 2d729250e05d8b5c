import type { SimulatedBatches } from "../batches/batches.ts";
import { digest } from "../content/digest.ts";
import type { PromptCache } from "../content/prompt-cache.ts";
import { NO_USAGE, outputTokens, type Usage } from "../content/tokens.ts";
import { familyRules, readAs } from "../families/index.ts";
import type { LedgerEntry, WritableLedger } from "../ledger.ts";
import { media } from "../media/exchange.ts";
import type { MediaStore } from "../media/media-store.ts";
import { answer } from "../model/answer.ts";
import { conversationStateOf } from "../model/conversation-state.ts";
import { EXAMPLE_MODELS, type SimulatorOptions } from "../options.ts";
import type { Chunk, ErrorAnswer, Framing, Wire } from "../protocols/protocol.ts";
import type { Route } from "../protocols/route.ts";
import { Refusal } from "../refusal.ts";
import { type Directives, readDirectives } from "../script/directives.ts";
import { dueFault, failWith, faultRefusal } from "../script/fault-schedule.ts";
import type { Fault } from "../script/faults.ts";
import type { Scripts } from "../script/script.ts";

export interface State {
  options: SimulatorOptions;
  ledger: WritableLedger;
  mediaStore: MediaStore;
  batches: SimulatedBatches;
  scripts: Scripts;
  cache: PromptCache;
  /** The earlier exchanges that requests of stateful protocols may refer to. */
  memory: Map<string, unknown>;
  /** The number of times that each counted fault has happened. */
  happened: Map<string, number>;
}

export interface Incoming {
  route: Route;
  /** The parameters in the path; `model` is a model. */
  params: Record<string, string>;
  url: URL;
  headers: Record<string, string>;
  raw: string;
  bytes: Buffer;
  /** The fields of a form, where the body is one. */
  form?: unknown;
}

/** The answer to send, before faults of delivery are applied. */
export interface Outgoing {
  protocol: Wire;
  status: number;
  headers: Record<string, string>;
  fault: Fault;
  entry?: LedgerEntry;
  answer:
    | { body: unknown }
    | { chunks: Chunk[]; framing: Framing }
    | { type: string; bytes: Buffer; done?: () => void };
}

const field = (body: unknown, name: string): unknown => (body as Record<string, unknown> | null)?.[name];

function parseBody(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    throw new Refusal("invalid", "We could not parse the JSON body of your request: it is not valid JSON.");
  }
}

function admit({ options }: State, { route, headers, url }: Incoming): void {
  if (route.open) return;
  const key = route.protocol.key(headers, url.searchParams);
  if (!key)
    throw new Refusal("unauthenticated", "Missing API key: the request carries none in the place for it.");
  const { keys = (candidate: string) => candidate !== "" } = options;
  const fits = typeof keys === "function" ? keys(key) : keys.includes(key);
  if (!fits) throw new Refusal("unauthenticated", `Incorrect API key provided: ${key.slice(0, 3)}***.`);
}

function findModel({ options }: State, model: string): void {
  if (options.models ? !options.models.includes(model) : model.includes("-missing"))
    throw new Refusal("missing", `The model '${model}' does not exist or you do not have access to it.`, {
      field: "model",
    });
}

/** An accepted request, and its entry in the ledger. */
export interface Ticket {
  hash: string;
  body: unknown;
  model: string;
  stream: boolean;
  entry: LedgerEntry;
  take(text: string, step: number): Directives;
}

function openTicket(state: State, incoming: Incoming): Ticket {
  const { route, url, headers, raw } = incoming;
  const body = incoming.form ?? (raw === "" ? undefined : parseBody(raw));
  const model = incoming.params.model ?? String(field(body, "model") ?? "");
  const stream = route.operation === "generate" && (route.streams ?? field(body, "stream") === true);
  const hash = digest(state.options.seed ?? "", url.pathname, raw);
  const { name: protocol } = route.protocol;
  const operation = route.media && route.when?.(body) ? "image" : route.operation;
  const entry = state.ledger.add({
    id: hash.slice(0, 24),
    operation,
    protocol,
    model,
    stream,
    request: body,
    path: url.pathname + url.search,
    headers,
    usage: NO_USAGE,
    text: "",
    calls: [],
    delivered: "cut",
    status: 200,
  });
  const take: Ticket["take"] = (text, step) =>
    state.scripts.take({ protocol, model, operation }) ?? readDirectives(text, step);
  return { hash, body, model, stream, entry, take };
}

function generate(state: State, incoming: Incoming, ticket: Ticket): Outgoing {
  const protocol = incoming.route.text!;
  const { hash, model, stream, entry } = ticket;
  const call = { model, headers: incoming.headers, memory: state.memory };
  const { body, content } = readAs(protocol, ticket.body, call);
  const conversation = conversationStateOf(content);
  const directives = ticket.take(conversation.text, conversation.step);
  const fault = dueFault(state.happened, directives.fault, conversation.text);
  failWith(fault, stream);
  if (!stream && fault["error-after"] !== undefined) throw faultRefusal(fault);
  const replies = answer(content, directives);
  const usage: Usage = {
    ...state.cache.count(model, content, directives.cached),
    output: replies.reduce((sum, reply) => sum + outputTokens(reply), 0),
    reasoning: replies.reduce((sum, reply) => sum + outputTokens(reply, "reasoning"), 0),
  };
  const parts = replies.flatMap((reply) => reply.parts);
  Object.assign(entry, {
    usage,
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    calls: parts.flatMap((part) => (part.type === "call" ? [{ name: part.name, args: part.args }] : [])),
  });
  const exchange = {
    hash,
    model,
    created: Math.floor((state.options.now ?? Date.now)() / 1000),
    callIdLength: familyRules(model, protocol.name)?.callIdLength,
    body,
    content,
    replies,
    usage: fault["no-usage"] ? undefined : usage,
    memory: state.memory,
  };
  const events = incoming.route.streams === undefined || incoming.url.searchParams.get("alt") === "sse";
  return {
    protocol,
    status: 200,
    headers: {},
    fault,
    entry,
    answer: stream
      ? { chunks: protocol.stream(exchange), framing: protocol.framing ?? (events ? "events" : "array") }
      : { body: protocol.write(exchange) },
  };
}

function plain(state: State, incoming: Incoming, ticket: Ticket): Outgoing {
  const { protocol, plain: run } = incoming.route;
  const call = { model: ticket.model, headers: incoming.headers, memory: state.memory };
  const { text, input, searchUnits, write } = run!(ticket.body, call);
  const fault = dueFault(state.happened, ticket.take(text, 1).fault, text);
  failWith(fault, false);
  Object.assign(ticket.entry, { usage: { ...NO_USAGE, input }, ...(searchUnits && { searchUnits }) });
  const body = write(!fault["no-usage"]);
  return { protocol, status: 200, headers: {}, fault, entry: ticket.entry, answer: { body } };
}

function failed(protocol: Wire, error: unknown, hash: string, entry?: LedgerEntry): Outgoing {
  const refusal =
    error instanceof Refusal ? error : new Refusal("internal", `The simulator failed: ${String(error)}`);
  const { status, headers, body: usual }: ErrorAnswer = protocol.refuse(refusal, hash);
  const errorBody =
    refusal.kind === "invalid" && entry ? familyRules(entry.model, protocol.name)?.errorBody : undefined;
  const body = errorBody ? errorBody(refusal) : usual;
  if (entry) Object.assign(entry, { status, usage: NO_USAGE, delivered: "failed" });
  return { protocol, status, headers, fault: {}, entry, answer: { body } };
}

/** Answers one request. Every error becomes an answer in the protocol's form. */
export function respond(state: State, incoming: Incoming): Outgoing {
  const { protocol, operation } = incoming.route;
  const hash = digest(state.options.seed ?? "", incoming.url.pathname, incoming.raw);
  let ticket: Ticket | undefined;
  try {
    admit(state, incoming);
    if (operation === "list") {
      const created = Math.floor((state.options.now ?? Date.now)() / 1000);
      const body = incoming.route.text!.list(state.options.models ?? EXAMPLE_MODELS, created);
      return { protocol, status: 200, headers: {}, fault: {}, answer: { body } };
    }
    ticket = openTicket(state, incoming);
    const isMedia = incoming.route.media && (incoming.route.when?.(ticket.body) ?? true);
    // Reading a task, a list or a file names no model.
    if (!isMedia || ticket.model !== "") findModel(state, ticket.model);
    if (isMedia) return media(state, incoming, ticket);
    return operation === "generate" ? generate(state, incoming, ticket) : plain(state, incoming, ticket);
  } catch (error) {
    return failed(protocol, error, hash, ticket?.entry);
  }
}
