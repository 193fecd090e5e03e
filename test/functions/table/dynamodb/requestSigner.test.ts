import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { Sha256 } from "@smithy/core/checksum";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsCredentialIdentity } from "@smithy/types";
import fc from "fast-check";
import { requestSigner } from "../../../../functions/table/client.ts";
import { anyCharacter } from "../../../support/data/anyCharacter.ts";
import { cases } from "../../../support/jest/cases.ts";

const requestOf = (body: string) =>
  new HttpRequest({
    protocol: "https:",
    hostname: "dynamodb.eu-west-2.amazonaws.com",
    method: "POST",
    path: "/",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.GetItem",
      host: "dynamodb.eu-west-2.amazonaws.com",
      "content-length": String(Buffer.byteLength(body)),
      "amz-sdk-request": "attempt=1; max=3",
    },
    body,
  });

async function signedBySdk(body: string, credentials: AwsCredentialIdentity, region: string, signingDate: Date) {
  const signer = new SignatureV4({ credentials, region, service: "dynamodb", sha256: Sha256, applyChecksum: false });
  const unsignableHeaders = new Set(["content-length", "amz-sdk-request"]);
  return signer.sign(requestOf(body), { signingDate, unsignableHeaders });
}

const word = fc.stringMatching(/^[!-~]{1,60}$/);
const Credentials = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
  secretAccessKey: word,
  sessionToken: fc.option(word, { nil: undefined }),
});
const Region = fc.constantFrom("eu-west-2", "us-east-1", "cn-north-1", "local");
const SigningDate = fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

test("one signer with changing credentials, region and day signs every request as the SDK does", async () => {
  let credentials: AwsCredentialIdentity = { accessKeyId: "", secretAccessKey: "" };
  let region = "";
  const signer = requestSigner({ credentials: async () => credentials, region: async () => region });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }),
      Credentials,
      Region,
      SigningDate,
      async (body, given, at, signingDate) => {
        [credentials, region] = [given, at];
        for (const _again of [1, 2]) {
          const { headers } = await signer.sign(requestOf(body), { signingDate });
          assert.deepEqual(headers, (await signedBySdk(body, given, at, signingDate)).headers);
        }
      },
    ),
    { numRuns: cases(50, 300) },
  );
});

test("a change of only the credentials, the region or the day changes the signature", async () => {
  const seen = new Set<string | undefined>();
  const given = { accessKeyId: "AKIA", secretAccessKey: "one" };
  let [credentials, region] = [given, "eu-west-2"];
  const signer = requestSigner({ credentials: async () => credentials, region: async () => region });
  const sign = async (signingDate: string) => {
    const { headers } = await signer.sign(requestOf("{}"), { signingDate: new Date(signingDate) });
    seen.add(headers.authorization?.split("Signature=")[1]);
  };
  await sign("2026-01-01T00:00:00Z");
  await sign("2026-01-02T00:00:00Z");
  credentials = { ...given, secretAccessKey: "two" };
  await sign("2026-01-02T00:00:00Z");
  region = "eu-west-1";
  await sign("2026-01-02T00:00:00Z");
  assert.equal(seen.size, 4);
});
