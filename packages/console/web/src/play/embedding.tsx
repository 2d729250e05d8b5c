import type { Incoming } from "../api/reach.ts";
import { count } from "../format.ts";
import { CallActs } from "../media/acts.tsx";
import { useCall } from "../media/call.ts";
import { jsonForms } from "../media/samples.ts";
import { Json } from "../ui/json.tsx";
import { CALLS } from "./media.ts";
import { PaneFoot } from "./pane-foot.tsx";

interface Embedded {
  data?: { embedding: number[] }[];
  usage?: unknown;
}

const SHOWN = 8;

const read = async (response: Incoming): Promise<Embedded> => (await response.json()) as Embedded;

/** A text as a vector. */
export function Embedding({ model, text }: { model: string; text: string }) {
  const { called, isRunning, send, stop } = useCall(read);
  const { run, answer } = called ?? {};
  const vector = answer?.data?.[0]?.embedding;
  const body = { model, input: text };
  return (
    <>
      <CallActs
        act="Embed"
        isRunning={isRunning}
        onSend={() => void send(CALLS.embed, JSON.stringify(body))}
        onStop={stop}
        forms={jsonForms("embed", body, location.origin)}
      />
      {run?.fault !== undefined && (
        <p class="wrong" role="alert">
          {run.fault}
        </p>
      )}
      {vector && (
        <p role="status">
          {count(vector.length)} dimensions, beginning with{" "}
          <code>
            {vector
              .slice(0, SHOWN)
              .map((value) => value.toFixed(4))
              .join(", ")}
          </code>
        </p>
      )}
      {answer?.usage !== undefined && <Json value={answer.usage} label="The usage" />}
      {run && <PaneFoot of={run} losses={0} />}
    </>
  );
}
