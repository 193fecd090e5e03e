import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { signedHeaders } from "../../../functions/webhooks/signature.ts";
import { verifyWebhook, WebhookVerificationError } from "../index.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const message = { type: "test", timestamp: "2026-11-23T10:00:12.031Z", data: { organisation_id: 1 } };
const body = JSON.stringify(message);
const headers = signedHeaders("msg_1", body, [secret], new Date());

type Received = Parameters<typeof verifyWebhook>[0];

const pairs = Object.entries(headers).map(([name, value]) => [name, value] as const);
const spellings = [
  (name: string) => name,
  (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  (name: string) => name.toUpperCase(),
];

/** The headers of a library that are read name by name, exactly as they are stored. */
class ExactHeaders {
  readonly #values: Map<string, string>;
  constructor(values: readonly (readonly [string, string])[]) {
    this.#values = new Map(values);
  }
  get(name: string): string | undefined {
    return this.#values.get(name);
  }
}

/** The headers of a library that are read by iteration only. */
class IterableHeaders {
  *[Symbol.iterator]() {
    yield* pairs;
  }
}

test("a signed message is returned, from any kind of headers and in any case", () => {
  const kinds: Received["headers"][] = [new Headers(headers), new IterableHeaders()];
  for (const spelling of spellings) {
    const spelled = pairs.map(([name, value]) => [spelling(name), value] as const);
    kinds.push(Object.fromEntries(spelled), spelled, new Map(spelled), new ExactHeaders(spelled));
    kinds.push(Object.fromEntries(spelled.map(([name, value]) => [name, [value]])));
    kinds.push(Object.assign(Object.create(null), Object.fromEntries(spelled), { cookie: undefined }));
  }
  for (const kind of kinds) assert.deepEqual(verifyWebhook({ secret, headers: kind, body }), message);
});

test("a signed message is returned, from a body as text or bytes", () => {
  const bytes = new TextEncoder().encode(body);
  for (const raw of [body, bytes, bytes.buffer, new DataView(bytes.buffer), Buffer.from(body)])
    assert.deepEqual(verifyWebhook({ secret, headers, body: raw }), message);
});

test("headers or a body of a wrong type are a TypeError that names them and says what to pass", () => {
  const raw = Object.entries(headers).flat();
  const numbers = { ...headers, "webhook-timestamp": 1 };
  const wrongHeaders = [undefined, null, "", 5, raw, new Set(raw), () => headers, Promise.resolve(headers), numbers];
  const wrong = [
    ...wrongHeaders.map((one) => ["headers", { secret, headers: one, body }] as const),
    ...[undefined, null, message, [body], 5].map((one) => ["body", { secret, headers, body: one }] as const),
  ];
  for (const [argument, received] of wrong)
    assert.throws(() => verifyWebhook(received as Received), {
      name: "TypeError",
      message: `${argument} has a wrong type. Pass the request's headers, and its raw body as text or bytes, not parsed.`,
    });
});

test("a changed, old, unsigned or otherwise signed message is refused", () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const old = signedHeaders("msg_1", body, [secret], new Date(Date.now() - 6 * 60_000));
  for (const wrong of [
    { secret, headers, body: body.replace("1}", "2}") },
    { secret: other, headers, body },
    { secret, headers: old, body },
    { secret, headers: {}, body },
    { secret, headers: { ...headers, "webhook-signature": undefined }, body },
  ])
    assert.throws(() => verifyWebhook(wrong), WebhookVerificationError);
});

test("white space around the secret is ignored", () => {
  assert.deepEqual(verifyWebhook({ secret: `\n ${secret}\r\n`, headers, body }), message);
});

test("a missing or malformed secret is an error of its own, which does not repeat it", () => {
  const short = Buffer.alloc(23, 7).toString("base64");
  const malformed = ["whsec_", "tsk_4fQ9wLxT", "undefined", `whsec_${short}`, secret.slice(0, -1), `${secret}A`];
  assert.throws(() => verifyWebhook({ secret: undefined as unknown as string, headers, body }), TypeError);
  for (const wrong of ["", ...malformed, secret.replace("c", "-"), secret.replace("B", "_")])
    assert.throws(
      () => verifyWebhook({ secret: wrong, headers, body }),
      ({ name, message }: Error) =>
        name === "Error" && message === "The secret must be a webhook's: whsec_ and at least 24 bytes in Base64.",
    );
  for (const quote of ['"', "'"])
    assert.throws(
      () => verifyWebhook({ secret: quote + secret + quote, headers, body }),
      /^Error: .* The given secret includes quotation marks: remove them\.$/,
    );
});
