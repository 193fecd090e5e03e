import fc from "fast-check";
import { personalData } from "./sensitive.ts";

const words = (text: string) => fc.constantFrom(...text.split(" "));
const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));

/** Pieces that parsers often fail on, as they are or percent-encoded. */
const odd = (key: string) =>
  fc
    .oneof(
      words("% %2 %zz %00 %2F %C0%AF %FF %u0031 .. // \\ * {id} + ; \u0000 \u0080 é 🎫 __proto__ constructor"),
      fc.constantFrom("", "\t", "a".repeat(9_000), key, ...personalData),
      fc.string({ unit: byte, maxLength: 12 }),
    )
    .chain((piece) => fc.constantFrom(piece, encodeURIComponent(piece)));

const headerNames = words(
  "Authorization If-None-Match Accept-Encoding Accept Content-Type Cookie X-Forwarded-Host X-Forwarded-Proto Host Range From Expect Upgrade X-Request-Id X-HTTP-Method-Override __proto__",
);
const headerLines = fc.constantFrom(
  'If-None-Match: "a", W/"b",, *',
  "Accept-Encoding: gzip;q=nan, *;q=;",
  `Accept-Encoding: ${",".repeat(3_000)}`,
  "X-Forwarded-Host: a:99999",
  "X-Forwarded-Host: 1.2.3.4.5",
  "Host: a b",
  "Host: a:99999",
  "Connection: upgrade",
  "Upgrade: websocket",
  "X-HTTP-Method-Override: DELETE",
  "Content-Length: 0",
  "Content-Length: nonsense",
  "Transfer-Encoding: identity",
  `X-Huge: ${"h".repeat(20_000)}`,
  "Bad Name: 1",
  ": no name",
  "no colon",
  " a continuation",
);

/** Mostly the first. */
function mostly<Value>(usual: Value, others: fc.Arbitrary<Value>) {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, others);
}

/**
 * Malformed or unusual requests, as bytes; some are not HTTP at all.
 *
 * @param targets existing paths, each with a valid credential.
 */
export function oddRequest(targets: readonly { path: string; credential: string }[]): fc.Arbitrary<Buffer> {
  return fc.constantFrom(...targets).chain(({ path, credential }) => oddRequestTo(path, credential));
}

function oddRequestTo(target: string, key: string): fc.Arbitrary<Buffer> {
  const somePath = fc.constant(target);
  const tampered = fc
    .tuple(somePath, fc.nat({ max: 40 }), odd(key))
    .map(([path, at, piece]) => path.slice(0, at) + piece + path.slice(at));
  const queries = fc.oneof(
    words("? ?per_page=3 ?per_page=3&per_page=3 ?cursor= ?&&=& ?a[b]=1 ?per_page"),
    fc.tuple(words("per_page cursor x"), odd(key), odd(key)).map(([name, more, value]) => `?${name}${more}=${value}`),
  );
  const headers = fc.oneof(
    fc.tuple(headerNames, odd(key)).map(([name, value]) => `${name}: ${value}`),
    headerLines,
  );
  return fc
    .record({
      method: mostly("GET", words("POST POST HEAD PUT PATCH DELETE OPTIONS TRACE PROPFIND M-SEARCH get G[]T  ")),
      path: fc.oneof(somePath, tampered, odd(key)),
      query: mostly("", queries),
      version: mostly("HTTP/1.1", words("HTTP/1.0 HTTP/2.0 HTTP/0.9 HTTP  ")),
      host: mostly("Host: tickets.example", fc.constant("X-No-Host: 1")),
      authorization: mostly(`Authorization: Bearer ${key}`, fc.constant("X-No-Key: 1")),
      headers: fc.array(headers, { maxLength: 5 }),
      body: mostly("", fc.constantFrom('{"a":1}', "\u0000", "x".repeat(70_000))),
      encoding: fc.constantFrom("utf8" as const, "latin1" as const),
    })
    .map(({ method, path, query, version, host, authorization, headers, body, encoding }) => {
      const length = body === "" ? [] : [`Content-Length: ${body.length}`];
      const lines = [`${method} ${path}${query} ${version}`, host, authorization, ...headers, ...length];
      return Buffer.from([...lines, "Connection: close", "", body].join("\r\n"), encoding);
    });
}
