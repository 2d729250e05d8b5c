import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import type { Mode } from "../play/media.ts";
import { MODES, Order } from "../play/order.tsx";
import { useDetail } from "../request/detail.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";

type Model = Answer<"/api/v1/ai/models">[number];

/** Images, videos, speech and embeddings, by forms made of what each model takes. */
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
        about="Generate images, videos, speech and embeddings with forms for each model."
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
  const fitting = (Object.keys(MODES) as Mode[]).find((one) =>
    named?.outputModalities.includes(MODES[one].makes),
  );
  const mode =
    params.mode !== undefined && params.mode in MODES ? (params.mode as Mode) : (fitting ?? "image");
  const tabs = Object.fromEntries(
    Object.entries(MODES).map(([name, { title, makes }]) => {
      const matching = models.filter(({ outputModalities }) => outputModalities.includes(makes));
      const body =
        matching.length === 0 ? (
          <Empty>
            <p>No model generates this.</p>
          </Empty>
        ) : (
          <Order
            key={name}
            mode={name as Mode}
            models={matching}
            sent={name === fitting ? sent : undefined}
          />
        );
      return [name, { title, body }];
    }),
  );
  return <Tabs of={tabs} open={mode} onOpen={(next) => set({ mode: next, model: undefined })} />;
}
