// The devices, and one of them: its screens, its state, its day.

import { code, h } from "./dom.js";
import { ask, curl, picture } from "./api.js";
import { failure as failed, fill as fillWith } from "./words.js";

export function devices() {
  const element = h("section.page");
  const list = () => fillWith(element, ask("/devices?limit=1000"), ({ devices }) => [h("h1", "Devices"), h("p.lead", "Each is a name with an inbox, and somebody who holds it."),
    h("table", h("thead", h("tr", ["Name", "Apps", "Received", "Waiting", "Dropped"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", devices.filter((d) => !d.name.startsWith("~")).map((d) => h("tr", h("td", h("a", { href: `/devices/${encodeURIComponent(d.name)}` }, d.name)), h("td", [...new Set(d.registrations.map((r) => r.topic))].join(", ")), h("td", d.counts.received), h("td", d.storedCount), h("td", d.counts.discarded)))))]);

  async function one(name) {
    const path = `/devices/${encodeURIComponent(name)}`;
    const [device, screen] = await Promise.all([ask(path), ask(`${path}/screen`)]);
    const patch = async (body) => { try { await ask(path, { method: "PATCH", body }); } catch (error) { alert(error.message); } one(name).catch(console.error); };
    const toggle = (member, text) => h("label.switch", h("input", { type: "checkbox", role: "switch", checked: device[member], onchange: (event) => patch({ [member]: event.target.checked }) }), text);
    const choice = (label, values, value, change) => h("label.field", label, h("select", { onchange: (event) => change(event.target.value) }, values.map(([v, text = v]) => h("option", { value: v, selected: v === value }, text))));
    const form = screen.isLocked || !screen.isScreenOn ? "lockScreen" : "notificationCenter";
    element.replaceChildren(h("p", h("a", { href: "/devices" }, "‹ Devices")), h("h1", name), h("p.lead", `${device.counts.received} received · ${device.locale} · ${device.timeZone} · `, h("a", { href: `/notifications?device=${encodeURIComponent(name)}` }, "its inbox")),
      h("div.columns.wide", h("figure.phone", picture(`${path}/screen.svg`, `The screen of ${name}`, { width: 414, height: 868 }), h("figcaption", form === "lockScreen" ? "The lock screen now" : "Notification Center now")), h("figure.phone", picture(`${path}/screen.svg?form=notificationCenter`, `Notification Center of ${name}`, { width: 414, height: 868 }), h("figcaption", "Notification Center now")),
        h("div.side", h("h2", "State"), choice("Focus", [["", "none"], ...device.focus.modes.map((m) => [m.id, m.name ?? m.id])], device.focus.active ?? "", (v) => patch({ focus: { active: v || null } })), choice("Ring switch", [["ring"], ["silent"]], device.ringSwitch, (v) => patch({ ringSwitch: v })), choice("Previews", [["always"], ["whenAuthenticated", "when unlocked"], ["never"]], device.showPreviews, (v) => patch({ showPreviews: v })),
          h("div.switches", toggle("isLocked", "Locked"), toggle("isScreenOn", "Screen on"), toggle("isOnline", "Online"), toggle("isPoweredOn", "Powered on"), toggle("isSavingPower", "Low power"), toggle("isCarPlayConnected", "CarPlay")),
          h("h2", "Badges"), h("p", Object.entries(screen.badges).map(([app, n]) => h("span.badge", `${app} ${n}`)), Object.keys(screen.badges).length ? null : "none"),
          h("h2", "The same from a terminal"), code(curl(path, { method: "PATCH", body: { isLocked: !device.isLocked } })))),
      h("h2", "Its day"), h("figure.day", picture(`${path}/day.svg`, `The day of ${name}`)));
  }
  return { element, update: ({ rest: [name] }) => (name ? one(name).catch((error) => element.replaceChildren(failed(error))) : list()), notifications() { const name = location.pathname.split("/")[2]; if (name) { clearTimeout(element.timer); element.timer = setTimeout(() => one(decodeURIComponent(name)), 300); } } };
}

