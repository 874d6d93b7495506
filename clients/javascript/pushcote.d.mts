/** Types of pushcote.mjs. Members are those of Pushcote's docs/admin-api.md; the gateway adds some with time. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };
export type JsonObject = { [name: string]: Json | undefined };
/** A condition, a list of conditions, or an object of tests by path: docs/queries.md. */
export type Where = string | string[] | JsonObject;
/** A text such as "5s" or "PT1H", or a number of milliseconds. */
export type Duration = string | number;
export type Query = Record<string, string | number | boolean | (string | number)[]>;

export interface Count {
  exactly?: number;
  atLeast?: number;
  atMost?: number;
}

export interface Expectation {
  count?: number | Count;
  never?: boolean;
  within?: Duration;
  order?: Where[];
  of?: "notifications" | "requests" | "events";
  device?: string;
  since?: number;
  clock?: "real" | "simulated";
}

export interface Verdict {
  verified: boolean;
  outcome: "passed" | "tooFew" | "tooMany";
  message: string;
  status: number;
  scanned: number;
  matched: number[];
  matchCount: number;
  otherCount: number;
  report: string;
  nearest?: { number: number; differences: { path: string; expected: string; got?: Json }[]; document?: JsonObject }[];
}

export interface Notification {
  id: number;
  identifier: string;
  device: string;
  topic: string;
  token?: string;
  environment?: string;
  state: "accepted" | "stored" | "delivered" | "discarded";
  discardReason?: string;
  outcome?: string;
  timing?: string;
  level?: string;
  receivedAt: string;
  settledAt?: string;
  shownAt?: string;
  apnsId?: string;
  pushType?: string;
  priority?: number;
  collapseId?: string;
  title?: string;
  subtitle?: string;
  body?: string;
  badge?: number;
  sound?: Json;
  [member: string]: Json | undefined;
}

export interface Request {
  number: number;
  status?: number;
  reason?: string;
  fault?: string;
  apnsId: string;
  device?: string;
  topic?: string;
  notification?: number;
  [member: string]: Json | undefined;
}

export interface ClockState {
  mode: "real" | "manual";
  now: string;
  nextDue?: string;
  devices?: number;
}

export class PushcoteError extends Error {
  readonly status?: number;
}

export class VerificationError extends Error {
  readonly verdict: Verdict;
}

export class Pushcote {
  address: string;
  token?: string;
  readonly clock: Clock;
  /** The provider API for your back end: `https://localhost:PORT`. */
  provider: string;
  host: string;
  port: number;
  /** The file of `ca()`, on the gateway's machine. */
  authorityFile: string;
  /** The file of the key that the gateway accepts (`.p8`), on the gateway's machine. */
  keyFile: string;
  keyId: string;
  teamId: string;
  constructor(address: string, token?: string);
  static connect(address?: string, token?: string): Promise<Pushcote>;
  static start(...settings: string[]): Promise<Pushcote>;
  stop(): Promise<void>;
  info(): Promise<any>;
  ca(): Promise<string>;
  /** For the header `authorization: bearer …`, signed now. */
  providerToken(): Promise<string>;
  device(name?: string, conditions?: JsonObject): Promise<Device>;
  verify(where?: Where, expectation?: Expectation): Promise<Verdict>;
  notifications(filters?: Query): Promise<Notification[]>;
  notification(id: number): Promise<Notification>;
  explain(notification: Notification | number): Promise<string>;
  requests(filters?: Query): Promise<Request[]>;
  fault(rule: JsonObject): Promise<Fault>;
  fault<Result>(rule: JsonObject, body: (fault: Fault) => Promise<Result>): Promise<Result>;
  reset(...keep: ("devices" | "apps" | "requests" | "faults")[]): Promise<void>;
  call(
    method: string,
    path: string,
    values?: (string | number)[],
    options?: { body?: Json; query?: Query; accept?: number },
  ): Promise<any>;
}

export class Device {
  readonly pushcote: Pushcote;
  readonly name: string;
  constructor(pushcote: Pushcote, name: string);
  register(topic: string, members?: JsonObject): Promise<string>;
  push(topic: string, payload: JsonObject, query?: Query): Promise<number>;
  wait(where?: Where, options?: { within?: Duration; since?: number }): Promise<Notification>;
  verify(where?: Where, expectation?: Expectation): Promise<Verdict>;
  notifications(filters?: Query): Promise<Notification[]>;
  patch(conditions: JsonObject): Promise<JsonObject>;
  act(action: string, members?: JsonObject): Promise<any>;
  picture(query?: Query): Promise<string>;
}

export interface Clock {
  stop(members?: { now?: string }): Promise<ClockState>;
  advance(by: Duration): Promise<ClockState>;
  reset(): Promise<ClockState>;
}

export interface Fault {
  readonly names: string[];
  fired(): Promise<number>;
  remove(): Promise<void>;
}
