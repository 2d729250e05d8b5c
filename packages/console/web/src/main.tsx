import "./no-eval.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { ApiError } from "./api/client.ts";
import { App } from "./app.tsx";
import { showOverrides } from "./bidi.ts";
import { keepAlive, openSession } from "./state/session.ts";
import "./state/theme.ts";
import "./style/index.css";
import { keepFocus } from "./ui/kept-focus.ts";

showOverrides();
keepFocus();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What was refused is refused again; what was not reached may be reached now.
      retry: (tried, error) =>
        tried < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});

const root = document.getElementById("app");
if (root)
  render(
    <QueryClientProvider client={queries}>
      <LocationProvider scope="/console">
        <App />
      </LocationProvider>
    </QueryClientProvider>,
    root,
  );
void openSession();
keepAlive();
