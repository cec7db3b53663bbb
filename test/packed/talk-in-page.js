// Opens the built page given as script in a DOM without a browser, says hello in it, and prints
// what it shows when the agent has answered. Talks to the server in TURNWIRE_URL.
import { pathToFileURL } from "node:url";
import { Window } from "happy-dom";

const { TURNWIRE_URL: url = "", TURNWIRE_TOKEN: token = "" } = process.env;
const [script = ""] = process.argv.slice(2);
const lastWords = "And there is more";

const window = new Window({ url });
const { document } = window;
document.body.innerHTML = '<div id="page"></div>';
/** Node's own are kept: the page's client needs them to talk to a real server. */
const ofPage = ["window", "document", "navigator", "location", "Event", "CustomEvent"];
const missing = Object.getOwnPropertyNames(window).filter((name) => !(name in globalThis));
for (const name of [...ofPage, ...missing]) {
  Object.defineProperty(globalThis, name, {
    value: window[name],
    configurable: true,
    writable: true,
  });
}
globalThis.addEventListener ??= window.addEventListener.bind(window);
// Logged in, and without the WebSocket of newer Nodes: that would need a browser's log-in.
const { fetch } = globalThis;
globalThis.fetch = (address, options) => {
  const headers = new Headers(options?.headers);
  headers.set("authorization", `Bearer ${token}`);
  return fetch(address, { ...options, headers });
};
globalThis.WebSocket = undefined;

/** Resolves with what `find` gives, as soon as the page has it. */
function appears(find) {
  return new Promise((resolve) => {
    const look = () => {
      const found = find();
      if (!found) return;
      observer.disconnect();
      resolve(found);
    };
    const observer = new window.MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, characterData: true });
    look();
  });
}

const button = (label) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === label);

await import(pathToFileURL(script).href);
(await appears(() => button("New session"))).click();
const input = await appears(() => document.querySelector('input[aria-label="Message"]'));
// React notices only what is set past its own property of the element.
Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, "value").set.call(
  input,
  "Hello",
);
input.dispatchEvent(new window.Event("input", { bubbles: true }));
button("Send").click();
await appears(() => document.body.textContent.includes(lastWords));
console.log(document.body.textContent);
process.exit(0);
