import { type Main, runAsProgram } from "./shared/command.ts";

/** Each loads its own module, so that no other command waits for it. */
export const commands: Readonly<Record<string, { summary: string; load: () => Promise<{ main: Main }> }>> = {
  import: {
    summary: "Writes a file of records straight to the table.",
    load: () => import("./import/import.ts"),
  },
  feed: {
    summary: "Sends a file of records to the feed's queue.",
    load: () => import("./feed/feedCommand.ts"),
  },
  "dead-letters": {
    summary: "Lists the messages that failed, moves them back to their queue or drops them.",
    load: () => import("./deadLetters/deadLetters.ts"),
  },
  "organisation export": {
    summary: "Writes all data of an organisation to files.",
    load: () => import("./organisation/exportOrganisation.ts"),
  },
  "organisation restore": {
    summary: "Repairs damaged records, or brings an erased organisation back, from a copy of the table or an export.",
    load: () => import("./organisation/restoreOrganisation.ts"),
  },
  "organisation suspend": {
    summary: "Stops an organisation's API keys and webhooks, or lets them work again.",
    load: () => import("./organisation/suspendOrganisation.ts"),
  },
  "organisation erase": {
    summary: "Deletes all data of an organisation.",
    load: () => import("./organisation/eraseOrganisation.ts"),
  },
  "person blank": {
    summary: "Removes texts about a person that the API has recorded.",
    load: () => import("./person/blankPerson.ts"),
  },
  "key revoke": {
    summary: "Revokes an API key, such as a leaked one.",
    load: () => import("./keys/revokeKey.ts"),
  },
  "webhook pause": {
    summary: "Pauses or resumes a webhook.",
    load: () => import("./webhooks/pauseWebhook.ts"),
  },
  "webhooks wake": {
    summary: "Makes the service check active webhooks for undelivered changes.",
    load: () => import("./webhooks/wakeWebhooks.ts"),
  },
  "table restore": {
    summary: "Copies the table as of an earlier time into a new table, the source of a repair.",
    load: () => import("./table/restoreTable.ts"),
  },
  "table adopt": {
    summary: "Prepares a lost table that was restored from a backup, and revokes its API keys.",
    load: () => import("./table/adoptTable.ts"),
  },
  "table check": {
    summary: "Finds items that another tool has edited, and repairs them.",
    load: () => import("./table/checkTable.ts"),
  },
  "summaries rebuild": {
    summary: "Recounts summaries.",
    load: () => import("./summaries/rebuildSummaries.ts"),
  },
  "super-admin add": {
    summary: "Makes a person a super-admin of an organisation.",
    load: () => import("./superAdmin/addSuperAdmin.ts"),
  },
  "stage check": {
    summary: "Compares a stage's settings with the deployed stage, before a deployment.",
    load: () => import("./stage/checkStage.ts"),
  },
  smoke: {
    summary: "Tests a deployed stage with a few requests.",
    load: () => import("./stage/smoke.ts"),
  },
  openapi: {
    summary: "Writes the OpenAPI document to a file.",
    load: () => import("./openApi/writeOpenApi.ts"),
  },
};

const width = Math.max(...Object.keys(commands).map(({ length }) => length));
const help = `npm run ops -- COMMAND [OPTION]...

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join("\n")}

--help after a command lists its options and exit codes.
`;

/** Loads the command that the first words name, or one that prints the list. @returns it, and the arguments after its name. */
export async function commandOf(args: string[]): Promise<{ main: Main; args: string[] }> {
  for (const [name, { load }] of Object.entries(commands)) {
    const { length } = name.split(" ");
    if (args.slice(0, length).join(" ") === name) return { main: (await load()).main, args: args.slice(length) };
  }
  return { main: list, args };
}

const list: Main = async ([word], { stdout, stderr }) => {
  if (word === "--help" || word === "-h") {
    stdout.write(help);
    return 0;
  }
  // Does not repeat the word: it may be a key.
  stderr.write(`${word === undefined ? "Name a command" : "Unknown command"}. See npm run ops -- --help.\n`);
  return 2;
};

if (import.meta.main) {
  // Loaded first: until a command can stop cleanly, Ctrl-C ends the process.
  const { main, args } = await commandOf(process.argv.slice(2));
  await runAsProgram(main, args);
}
