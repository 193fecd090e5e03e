import type { ApiKey } from "../../api/apiKey.ts";
import type { Sorting } from "./sortKeys.ts";

export type StatusFilterValue = "all" | ApiKey["status"];

/** What the list shows. It outlives the list, so that a person finds it as it was when they return from a key's page. */
export interface ListView {
  search: string;
  /** Empty: keys with any scopes. */
  scope: string;
  status: StatusFilterValue;
  sorting: Sorting;
  /** From 0. */
  page: number;
}

export const initialView: ListView = {
  search: "",
  scope: "",
  status: "active",
  sorting: { column: "created", descending: true },
  page: 0,
};

/** Every key matches this. */
export const withoutFilter = { search: "", scope: "", status: "all", page: 0 } as const;

export const rowsPerPage = 50;

export function matches({ name, prefix, scopes, status }: ApiKey, view: ListView): boolean {
  const sought = plain(view.search);
  return (
    (view.status === "all" || status === view.status) &&
    (view.scope === "" || scopes.includes(view.scope)) &&
    (plain(name).includes(sought) || plain(prefix).includes(sought))
  );
}

/** Without case, accents and white space at the ends. */
export function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}
