import { useSignal } from "@preact/signals";
import { ErrorBoundary, lazy } from "preact-iso";
import { addressOfView, removeView, views } from "../state/views.ts";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { FIRST, type Params } from "./source.ts";

/** It is loaded when a view is named. */
const SaveView = lazy(() => import("./save-view.tsx"));

/** What an address chooses, without the page and the request that it shows. */
function queryOf(params: Params): string {
  const passing = new Set([...Object.keys(FIRST), "open"]);
  const query = new URLSearchParams(Object.entries(params).filter(([name]) => !passing.has(name)));
  query.sort();
  return query.toString();
}

/** The views that a reader has named, and a name for the one that is shown. */
export function Views({ params }: { params: Params }) {
  const isNaming = useSignal(false);
  const query = queryOf(params);
  const current = views.value.find((one) => one.query === query);
  return (
    <>
      <Menu
        label={current ? `View: ${current.name}` : "Views"}
        items={[
          ...views.value.map((view) => ({ text: view.name, href: addressOfView(view) })),
          !current && {
            text: "Save this view",
            icon: "plus",
            ...(views.value.length > 0 && { begins: "" }),
            onClick: () => {
              isNaming.value = true;
            },
          },
          current && {
            text: `Remove the view ${current.name}`,
            icon: "close",
            begins: "",
            onClick: () => removeView(current.name),
          },
        ]}
      >
        {current?.name ?? "Views"}
        <Icon name="down" />
      </Menu>
      {isNaming.value && (
        <ErrorBoundary>
          <SaveView
            query={query}
            onClose={() => {
              isNaming.value = false;
            }}
          />
        </ErrorBoundary>
      )}
    </>
  );
}
