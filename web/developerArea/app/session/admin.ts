import { createContext, use } from "react";
import type { AdminApi } from "../api/adminApi.ts";
import type { Person } from "./person.ts";

/** The signed-in person, and what acts as this person. */
export interface Admin {
  person: Person;
  api: AdminApi;
  /** The session has expired, and its dialog is on top of everything. */
  expired: boolean;
  signOut: () => void;
  /** Says the outcome of what the person did: on the page and to a screen reader. */
  announce: (outcome: string) => void;
}

export const AdminContext = createContext<Admin | null>(null);

export function useAdmin(): Admin {
  const admin = use(AdminContext);
  if (admin === null) throw new Error("Nobody is signed in here.");
  return admin;
}
