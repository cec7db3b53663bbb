// A browser's own EventSource is enough: each event has its place as `id`, so after a break the
// browser asks for what came since, and nothing is lost and nothing comes twice.

const log = document.querySelector("#log");
const status = document.querySelector("#status");
const composer = document.querySelector("#composer");

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.json()).error.message);
  return response.json();
}

function show(role, text) {
  const item = log.appendChild(document.createElement("li"));
  item.dataset.role = role;
  item.textContent = text;
  return item;
}

/** The session is in the address, so that a reload shows the same one. */
async function openSession() {
  const known = location.hash.slice(1);
  if (known !== "") return known;
  const { session_id } = await post("/sessions", { runtime: "demo" });
  location.hash = session_id;
  return session_id;
}

function follow(session) {
  const answers = new Map();
  const events = new EventSource(`/sessions/${session}/events`);
  const on = (type, listener) =>
    events.addEventListener(type, ({ data }) => listener(JSON.parse(data).data));
  events.addEventListener("open", () => (status.textContent = "Connected"));
  events.addEventListener("error", () => (status.textContent = "Connecting again…"));
  on("user_message", ({ content }) => show("user", content.map(({ text }) => text).join("")));
  on("turn_started", () => (status.textContent = "Working…"));
  on("delta", ({ message_id, text }) => {
    if (!answers.has(message_id)) answers.set(message_id, show("agent", ""));
    answers.get(message_id).append(text);
  });
  on("tool_start", ({ tool, command }) => show("tool", `${tool} ${command ?? ""}`));
  on("permission_request", (request) => ask(session, request));
  on("done", () => (status.textContent = "Done"));
  on("session_closed", () => events.close());
}

function ask(session, { correlation_id, tool_name, tool_input }) {
  const item = show("request", `May I use ${tool_name}? ${JSON.stringify(tool_input)} `);
  for (const behavior of ["allow", "deny"]) {
    const button = item.appendChild(document.createElement("button"));
    button.textContent = behavior;
    button.addEventListener("click", () => {
      item.querySelectorAll("button").forEach((other) => other.remove());
      post(`/sessions/${session}/commands`, {
        type: "permission_response",
        correlation_id,
        behavior,
      }).catch(tell);
    });
  }
}

function tell(error) {
  status.textContent = error.message;
}

const session = await openSession();
follow(session);
composer.addEventListener("submit", (event) => {
  event.preventDefault();
  post(`/sessions/${session}/message`, { message: composer.elements.message.value }).catch(tell);
  composer.reset();
});
