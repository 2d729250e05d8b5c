import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { codecs } from "../codecs/codecs.ts";
import type { WireName } from "../codecs/wires.ts";
import { draft, setDraft } from "./desk.ts";
import { putAside } from "./history.ts";

interface OpenBodyProps {
  body: unknown;
  protocol: WireName;
  model: string;
}

/** Opens a body in the playground, to be sent. */
export function OpenBody({ body, protocol, model }: OpenBodyProps) {
  const { route } = useLocation();
  const fault = useSignal<string | undefined>(undefined);
  const open = async (): Promise<void> => {
    const restored = await codecs("restore", body, protocol, { model, stream: true });
    if ("fault" in restored) {
      fault.value = restored.fault;
      return;
    }
    putAside(draft.value);
    setDraft(restored.draft);
    route("/console/play");
  };
  return (
    <>
      <button type="button" onClick={() => void open()}>
        Open in playground
      </button>
      {fault.value !== undefined && (
        <span class="wrong" role="alert">
          {fault.value}
        </span>
      )}
    </>
  );
}
