import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { ApiKeyHash, apiKeyHashOf, findApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { hashApiKey, isWellFormedApiKey } from "../../functions/keys/apiKeySecret.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { backOff, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { timeOrderedIdPattern } from "../../functions/values/timeOrderedId.ts";
import { actorOption, apiKeyHashesOf, platformTeam } from "../organisation/organisation.ts";
import { command, dryRun, flag, type Io, idOption, option } from "../shared/command.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { scanItems, type Waiting } from "../table/scanTable.ts";

const about = `Revokes a key of any organisation permanently, for an emergency such as a leaked key. Its next request gets 401.
Give one of --key, --prefix and --secret.
Exit codes: 0 revoked, 2 failed, 130 interrupted. Running it again is safe: a revoked key stays revoked.`;

const Options = z
  .object({
    key: option(
      z.string().regex(timeOrderedIdPattern, "--key must be the id of a key.").optional(),
      "ID",
      "the key's id",
    ),
    prefix: option(
      z
        .string()
        .regex(/^tsk_[0-9A-Za-z]{8}$/, "--prefix must be the first 12 characters of a key.")
        .optional(),
      "PREFIX",
      "the key's first 12 characters, as in the logs and the Developer area",
    ),
    secret: flag("read the whole key from standard input, to keep it out of command lines and histories"),
    actor: actorOption,
    organisation: option(
      idOption("--organisation").optional(),
      "ID",
      "the key's organisation; without it, --key and --prefix read the whole table once",
    ),
    "dry-run": dryRun,
    ...targetOptions,
  })
  .refine(
    ({ key, prefix, secret }) => [key, prefix, secret || undefined].filter((one) => one !== undefined).length === 1,
    "Give one of --key ID, --prefix PREFIX and --secret.",
  );

export const main = command({ name: "key revoke", Options, about }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, signal } = io;
  const hash = options.secret ? await readHash(io) : undefined;
  const table = await openTarget(options);
  const pause = backOff(signal);
  const found = await search(table, { ...options, hash }, { pause, signal });
  const key = onlyOne(
    found.filter(({ organisation_id }) => organisation_id === (options.organisation ?? organisation_id)),
  );
  stdout.write(`${describe(key)}\n`);
  if (options["dry-run"]) {
    stdout.write("Nothing was changed.\n");
    return 0;
  }
  const repository = apiKeyRepository(key.organisation_id, table);
  const { revoked, revoked_by } = await retryWhileUnavailable(
    () => repository.revoke(key.id, platformTeam(options.actor)),
    pause,
  );
  stdout.write(`Revoked at ${revoked} by ${revoked_by}.\n`);
  return 0;
}

/** Reads a key. An error never contains what was read. */
async function readHash({ stdin, signal }: Io): Promise<string> {
  const key = (await text(addAbortSignal(signal, stdin))).trim();
  if (!isWellFormedApiKey(key))
    throw new UsageError("Standard input does not contain a whole API key. Nothing was changed.");
  return hashApiKey(key);
}

/** Finds keys by hash, or by id or prefix: in an organisation's list, or else by a scan, because no index has keys. */
async function search(
  table: Table,
  { organisation, key, prefix, hash }: z.infer<typeof Options> & { hash: string | undefined },
  waiting: Waiting,
): Promise<ApiKeyHash[]> {
  if (hash !== undefined) {
    const found = await retryWhileUnavailable(() => findApiKeyHash(table, hash), waiting.pause);
    return found ? [found] : [];
  }
  const isWanted = (item: ApiKeyHash) => item.id === key || item.prefix === prefix;
  if (organisation !== undefined) {
    const items = await apiKeyHashesOf(table, organisation, waiting.pause);
    return items.flatMap((item) => apiKeyHashOf(item) ?? []).filter(isWanted);
  }
  const found: ApiKeyHash[] = [];
  const wanted = {
    filter: "begins_with(PK, :hash) AND (id = :id OR prefix = :prefix)",
    values: { ":hash": itemKeys.apiKeyHash("").PK, ":id": key ?? "", ":prefix": prefix ?? "" },
  };
  await scanItems(table, wanted, async (item) => found.push(ApiKeyHash.parse(item)), waiting);
  return found;
}

function onlyOne(found: ApiKeyHash[]): ApiKeyHash {
  const [key, ...others] = found;
  if (!key) throw new UsageError("The table has no such key. Nothing was changed.");
  if (others.length === 0) return key;
  throw new UsageError(
    `Several keys match. Nothing was changed. Name one with --key ID:\n${found.map(describe).join("\n")}`,
  );
}

function describe({ id, prefix, name, organisation_id, status }: ApiKeyHash): string {
  return `Key ${id}, ${prefix}…, "${name}" of organisation ${organisation_id}, ${status}.`;
}
