// The login: the gateway gives the browser a session for the admin token.

import { button, h, swap } from "./dom.js";
import { ask } from "./api.js";
import { Reply } from "./page.js";

let isShown = false;

export function login() {
  if (isShown) return;
  isShown = true;
  const field = h("input", { type: "password", autocomplete: "current-password", required: true });
  const name = h("input", { name: "username", autocomplete: "username", value: "admin", hidden: true });
  const reply = new Reply(), submit = async (event) => {
    event.preventDefault();
    if (await reply.to(ask("/session", { method: "POST", body: { token: field.value } }))) return location.reload();
    field.select();
  };
  swap(reply.element, h("p", "It is ", h("code", "admin.token"), " of the gateway's configuration, or ",
    h("code", "PUSHCOTE_ADMIN_TOKEN"), "."));
  const dialog = h("dialog", { "aria-labelledby": "login" }, h("form", { onsubmit: submit },
    h("h2", { id: "login" }, "Sign in to this gateway"), name, h("label", "Admin token", field), reply.element,
    h("button.primary", "Sign in")));
  dialog.addEventListener("close", () => dialog.showModal());
  document.body.append(dialog);
  dialog.showModal();
}

export function addSignOut(element) {
  const signOut = () => ask("/session", { method: "DELETE" }).catch(() => {}).finally(() => location.reload());
  element.append(button("Sign out", signOut, { kind: "plain.small" }));
}
