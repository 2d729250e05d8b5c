import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { codecs } from "../codecs/codecs.ts";
import { isWireName, type WireName } from "../codecs/wires.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { Section } from "../ui/section.tsx";
import { surfaceOfKept } from "./again.ts";
import type { Detail } from "./detail.ts";
import { differenceMarks } from "./differences.ts";
import { ReplyGone, RequestGone } from "./gone.tsx";
import { inWords, PROTOCOLS } from "./words.ts";

/** The names of the callers' protocols in records. */
const PROTOCOL_OF: Record<WireName, string> = {
  chat: "chatstyle",
  messages: "msgstyle",
  generate: "genstyle",
  responses: "responses",
  native: "native",
};

/** What both sides sent and got, as far as it is kept. */
export default function Wire({ of: one }: { of: Detail }) {
  const surface = surfaceOfKept(one);
  const caller = surface !== undefined && isWireName(surface) ? surface : undefined;
  const served = one.candidates.find(({ entry }) => entry === one.entry)?.protocol;
  const provider = one.translated === true && typeof served === "string" ? served : undefined;
  return (
    <>
      <Requests {...{ one, caller, provider }} />
      <Replies {...{ one, caller, provider }} />
    </>
  );
}

interface SideProps {
  one: Detail;
  /** The caller's protocol, if it is one of text. */
  caller: WireName | undefined;
  /** The provider's protocol, if the request was translated. */
  provider: string | undefined;
}

function Requests({ one, caller, provider }: SideProps) {
  const { request, model, id } = one;
  const sent = useQuery({
    queryKey: ["request", id, "wire", provider],
    queryFn: async () => {
      // Where the path says whether it is streamed, the record does not.
      const path = { model, stream: caller === "native" || request?.stream === true };
      const translation = await codecs("translated", request as object, {
        ...{ from: caller as WireName, to: provider as string, ...path },
      });
      return translation?.body ?? null;
    },
    enabled: request !== undefined && caller !== undefined && provider !== undefined,
  });
  if (!request) return <RequestGone />;
  if (provider === undefined)
    return (
      <Section
        title="Request"
        about="Passed through: the provider was sent the same body, with its own name of the model."
      >
        <Json value={request} label="Request" />
      </Section>
    );
  return (
    <Section title="Request" about="Kept as the caller sent it; recomputed here as the provider was sent it.">
      {caller === undefined ? (
        <Json value={request} label="Request" />
      ) : (
        <Awaited label="the provider’s request" of={sent}>
          {(body) => (
            <Pair first={request} second={body} names={[PROTOCOL_OF[caller], provider]} of="Request" />
          )}
        </Awaited>
      )}
    </Section>
  );
}

function Replies({ one, caller, provider }: SideProps) {
  const { reply, id, model, createdAt, usage = {} } = one;
  const { promptTokens, completionTokens } = usage as { promptTokens?: number; completionTokens?: number };
  const callerProtocol = caller === undefined ? undefined : PROTOCOL_OF[caller];
  const protocols = [callerProtocol, provider].filter((one) => one !== undefined);
  const bodies = useQuery({
    queryKey: ["request", id, "replies", protocols],
    queryFn: () => {
      const counts =
        promptTokens === undefined || completionTokens === undefined
          ? {}
          : { usage: { input: promptTokens, output: completionTokens } };
      const head = { id, model, created: Math.floor(Date.parse(createdAt) / 1_000) };
      return codecs("replyBodies", { choices: reply?.choices ?? [], ...counts }, protocols, head);
    },
    enabled: reply !== undefined && protocols.length > 0,
  });
  if (!reply) return <ReplyGone of={one} />;
  return (
    <Section
      title="Reply"
      about="Kept in its canonical form; recomputed here as a whole body of each protocol, without what only its vendor writes."
    >
      <Awaited label="the reply" of={bodies}>
        {(bodyOf) =>
          provider === undefined ? (
            <Json value={bodyOf[callerProtocol ?? ""] ?? reply} label="Reply" />
          ) : (
            <Pair
              first={bodyOf[provider]}
              second={bodyOf[callerProtocol ?? ""]}
              names={[provider, callerProtocol ?? ""]}
              of="Reply"
            />
          )
        }
      </Awaited>
    </Section>
  );
}

interface PairProps {
  first: unknown;
  second: unknown;
  names: readonly [first: string, second: string];
  of: string;
}

/** Two bodies beside each other, with what differs marked on both. */
function Pair({ first, second, names, of }: PairProps) {
  const marks = first == null || second == null ? undefined : differenceMarks(first, second);
  const side = (at: 0 | 1, value: unknown): ComponentChildren => {
    const name = inWords(PROTOCOLS, names[at]);
    return (
      <div>
        <h3>{name}</h3>
        {value == null ? (
          <p class="faint">This body cannot be recomputed here.</p>
        ) : (
          <Json
            value={value}
            label={`${of} of ${name}`}
            {...(marks && { marks: at === 0 ? marks.first : marks.second })}
          />
        )}
      </div>
    );
  };
  return (
    <div class="wire-pair">
      {side(0, first)}
      {side(1, second)}
    </div>
  );
}
