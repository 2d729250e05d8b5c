import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { Copy } from "../ui/parts.tsx";

/** The whole as a configuration file, from which a start serves the same. */
export function Export({ onClose }: { onClose: () => void }) {
  const whole = useQuery({
    queryKey: ["export"],
    queryFn: ({ signal }) => call("get", "/api/admin/declarations/export", { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog title="Export as a file" onClose={onClose}>
      <Awaited label="the file" rows={3} of={whole}>
        {({ document, variables }) => {
          const text = `${JSON.stringify(document, null, 2)}\n`;
          return (
            <>
              <p>
                The configuration file with all that was added to it here. A start from it serves the same
                models by the same routes.
              </p>
              {variables.length > 0 && (
                <>
                  <p>No credential is in it. Set these variables for the start:</p>
                  <p class="secret">
                    <code>{variables.join(" ")}</code>
                  </p>
                </>
              )}
              <div class="acts">
                <a
                  class="button main"
                  download="manifold.json"
                  href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
                >
                  <Icon name="download" />
                  Download manifold.json
                </a>
                <Copy text={text} label="Copy it" />
                <button type="button" onClick={onClose}>
                  Close
                </button>
              </div>
            </>
          );
        }}
      </Awaited>
    </Dialog>
  );
}
