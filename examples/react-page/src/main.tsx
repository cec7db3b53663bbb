import { createClient } from "@turnwire/client";
import { TurnwireProvider } from "@turnwire/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { registry } from "./component.tsx";

const client = createClient({ url: location.origin });
const place = document.getElementById("page");
if (!place) throw new Error("index.html has no element with the id “page”");

createRoot(place).render(
  <StrictMode>
    <TurnwireProvider client={client} registry={registry}>
      <App />
    </TurnwireProvider>
  </StrictMode>,
);
