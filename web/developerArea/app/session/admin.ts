import { createContext, use } from "react";
import type { AdminApi } from "../api/adminApi.ts";
import type { Person } from "./person.ts";

export interface Admin {
  person: Person;
  api: AdminApi;
  /** The session has expired, and its dialog covers the page. */
  expired: boolean;
  signOut: () => void;
  /** Reports the outcome of an action, on the page and to screen readers. */
  announce: (outcome: string) => void;
}

export const AdminContext = createContext<Admin | null>(null);

export function useAdmin(): Admin {
  const admin = use(AdminContext);
  if (admin === null) throw new Error("useAdmin needs a signed-in person.");
  return admin;
}
