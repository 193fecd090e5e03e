import { randomUUID } from "node:crypto";
import { people } from "../../../local/demo/demoPeople.ts";
import { furtherOrganisations } from "./furtherOrganisations.ts";

/*
 * node --import THIS_FILE local/start.ts: these organisations have super-admins, too.
 */
for (const [name, organisation_id] of Object.entries(furtherOrganisations)) {
  const email = `${organisation_id}@example.org`;
  const person = { sub: randomUUID(), name, email, password: email, organisation_id, organisation: name };
  people.push({ ...person, role: "super-admin", groups: ["super-admin"] });
}
