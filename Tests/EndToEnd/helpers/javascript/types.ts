// What pushcote.d.mts accepts and rejects. It is compiled, not run.

import { Device, Pushcote, VerificationError, type Notification } from "./pushcote.mjs";

const pushcote = await Pushcote.connect();
const phone: Device = await pushcote.device("phone", { isOnline: false });
const token: string = await phone.register("com.example.app", { environment: "production" });
const number: number = await phone.push("com.example.app", { aps: { alert: token }, list: [1, { none: null }] });
const notification: Notification = await phone.wait("title~Order", { within: 5000, since: number });
const answer: string = await pushcote.fault({ scenario: "outage" }, async (fault) => `${await fault.fired()}`);
await (await pushcote.fault({ scenario: "outage", match: { device: phone.name } })).remove();
try {
  await phone.verify({ badge: { ">": 6 } }, { count: { atLeast: 1 }, within: "1s", clock: "simulated" });
} catch (error) {
  if (error instanceof VerificationError) console.log(error.verdict.nearest?.[0]?.differences, answer);
}
await pushcote.clock.stop({ now: "2030-01-01T09:00:00Z" });
console.log((await pushcote.clock.advance("1h")).devices, notification.title?.length);
console.log((await pushcote.requests({ where: ["status=400", "reason"], limit: 3 }))[0].reason);
// @ts-expect-error: there is no such expectation
await phone.verify("title", { cont: 1 });
// @ts-expect-error: a topic is missing
await phone.push({ aps: {} });
