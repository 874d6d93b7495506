// The login: a browser cannot send the admin token with every request, so the gateway gives it a session for the token.

import { h, stored } from "./dom.js";
import { ask } from "./api.js";

/** Set while the browser has a session; the cookie is not for scripts. */
const SIGNED_IN = "pushcote:signed-in";
let isShown = false;

/** Asks for the token until it is right, then loads the page anew. */
export function login() {
  if (isShown) return;
  isShown = true;
  const field = h("input", {
    type: "password", name: "token", autocomplete: "current-password", required: true, "aria-describedby": "login-help",
  });
  const help = h("p", { id: "login-help", role: "status" },
    "It is ", h("code", "admin.token"), " of the gateway's configuration, or ", h("code", "PUSHCOTE_ADMIN_TOKEN"), ".");
  // For managers of passwords; there is only one name.
  const name = h("input", { name: "username", autocomplete: "username", value: "admin", hidden: true });
  const submit = (event) => signIn(event, field, help);
  const dialog = h("dialog", { "aria-labelledby": "login" }, h("form", { onsubmit: submit },
    h("h2", { id: "login" }, "Sign in to this gateway"), name, h("label", "Admin token", field), help,
    h("button.primary", "Sign in")));
  dialog.addEventListener("close", () => dialog.showModal());
  document.body.append(dialog);
  dialog.showModal();
}

async function signIn(event, field, help) {
  event.preventDefault();
  try {
    await ask("/session", { method: "POST", body: { token: field.value } });
    stored((storage) => storage.setItem(SIGNED_IN, "yes"));
    location.reload();
  } catch (error) {
    help.textContent = error.message;
    field.select();
  }
}

/** Adds the button that ends the session. */
export function addSignOut(element) {
  element.append(h("button.plain.small", { type: "button", onclick: async () => {
    await ask("/session", { method: "DELETE" }).catch(() => {});
    stored((storage) => storage.removeItem(SIGNED_IN));
    location.reload();
  } }, "Sign out"));
}
