import { readFileSync } from "node:fs";
import type { Person, SignInOptions } from "@ticketing/local-aws/sign-in";
import { organisations } from "./demoKeys.ts";

type DemoPerson = Omit<Person, "organisation"> & { role: "super-admin" | "staff" };

/** Their passwords are not secret, because they exist only in the local service. */
const demoPeople: readonly DemoPerson[] = [
  {
    sub: "0d9c1f6e-6f0b-4b52-9a35-7d1f0c5e2a11",
    name: "Amelia Hart",
    email: "amelia@riverside.example",
    password: "river-lantern-41",
    organisation_id: 1,
    role: "super-admin",
    groups: ["super-admin"],
  },
  {
    sub: "5b7e3a84-2c1d-4e0f-8f6b-93ad40c7be22",
    name: "Ben Okafor",
    email: "ben@riverside.example",
    password: "velvet-curtain-17",
    organisation_id: 1,
    role: "staff",
    // Every permission except the one for the Developer area.
    groups: ["event-manager", "box-office", "door", "finance", "marketing", "reports", "user-admin"],
  },
  {
    sub: "a2f4c6d8-91b3-4d75-b0e7-16c8f25d3b33",
    name: "Ingrid Solberg",
    email: "ingrid@northernlights.example",
    password: "polar-drummer-63",
    organisation_id: 2,
    role: "super-admin",
    groups: ["super-admin"],
  },
  {
    sub: "e83d5a17-4b96-47c2-a1d0-5f72b9e60c44",
    name: "Grace Moreno",
    email: "grace@philharmonic.example",
    password: "silver-oboe-28",
    organisation_id: 1842,
    role: "super-admin",
    groups: ["super-admin"],
  },
];

export const people = demoPeople.map((person) => ({
  ...person,
  organisation: organisations.find((known) => known.organisation_id === person.organisation_id)?.name ?? "",
}));

export const signInOptions: SignInOptions = {
  people,
  product: "Ticketing",
  mark: readFileSync(new URL("../../packages/reference/favicon.svg", import.meta.url), "utf8"),
  page: { path: "/developer", name: "the Developer area" },
  clientId: "developer-area",
};
