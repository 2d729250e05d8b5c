import { useQuery } from "@tanstack/preact-query";
import { lazy } from "preact-iso";
import { type Answer, call } from "../api/client.ts";
import type { Mode } from "../play/media.ts";
import { MODES, Order } from "../play/order.tsx";
import { useDetail } from "../request/detail.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";

/** Operations that one call answers, each loaded with its tab. */
const CALLED = {
  transcription: {
    ...{ title: "Transcription", makes: "transcription" },
    Pane: lazy(() => import("../media/transcribe.tsx")),
  },
  rerank: { title: "Rerank", makes: "ranking", Pane: lazy(() => import("../media/rerank.tsx")) },
  moderation: { title: "Moderation", makes: "moderation", Pane: lazy(() => import("../media/moderate.tsx")) },
} as const;

const ALL = { ...MODES, ...CALLED };
type Tab = keyof typeof ALL;

type Model = Answer<"/api/v1/ai/models">[number];

/** All that is not a conversation, by forms made of what each model takes. */
export default function Media() {
  const [{ request }] = useParams();
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  return (
    <>
      <Head
        title="Media playground"
        about="Images, videos, speech, transcripts, vectors, rankings and verdicts, by forms made for each model."
      />
      <Awaited label="models" of={models}>
        {(data) => (request === undefined ? <Modes of={data} /> : <Opened id={request} models={data} />)}
      </Awaited>
    </>
  );
}

/** A request that was sent, in its form. */
function Opened({ id, models }: { id: string; models: readonly Model[] }) {
  const found = useDetail(id, "account");
  return (
    <Awaited label="the request" of={found}>
      {({ request, model }) =>
        request ? (
          <Modes of={models} sent={request} model={model} />
        ) : (
          <Empty>
            <p>The content of this request was not stored, or has been deleted since.</p>
          </Empty>
        )
      }
    </Awaited>
  );
}

interface ModesProps {
  of: readonly Model[];
  /** A request that is opened, and its model. */
  sent?: Readonly<Record<string, unknown>>;
  model?: string;
}

function Modes({ of: models, sent, model }: ModesProps) {
  const [params, set] = useParams();
  const named = models.find(({ modelId }) => modelId === (params.model ?? model));
  const fitting = (Object.keys(ALL) as Tab[]).find((one) => named?.outputModalities.includes(ALL[one].makes));
  const mode = params.mode !== undefined && params.mode in ALL ? (params.mode as Tab) : (fitting ?? "image");
  const tabs = Object.fromEntries(
    Object.entries(ALL).map(([name, { title, makes, ...more }]) => {
      const given = name === fitting ? sent : undefined;
      const matching = models.filter(({ outputModalities }) => outputModalities.includes(makes));
      const body =
        matching.length === 0 ? (
          <Empty>
            <p>No model generates this.</p>
          </Empty>
        ) : "Pane" in more ? (
          <more.Pane key={name} models={matching} sent={given} />
        ) : (
          <Order key={name} mode={name as Mode} models={matching} sent={given} />
        );
      return [name, { title, body }];
    }),
  );
  return <Tabs of={tabs} open={mode} onOpen={(next) => set({ mode: next, model: undefined })} />;
}
