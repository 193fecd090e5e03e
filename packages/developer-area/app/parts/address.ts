import { useHash } from "@mantine/hooks";
import { useEffect, useState } from "react";

export const tabs = ["keys", "failures", "webhooks", "activity", "quick-start"] as const;
export type Tab = (typeof tabs)[number];

interface Route {
  tab: Tab;
  /** The key or webhook whose page is open; null for a whole list. */
  id: string | null;
}

/** The route is in the URL's hash, so that links and the browser's back button work: `#failures`, `#key/ID`, `#webhooks/ID`. */
export function useRoute(): Route {
  const hash = useHash({ getInitialValueInEffect: false })[0].slice(1);
  const [, name = "", id = null] = /^([a-z-]+)(?:\/([^?]+))?/.exec(hash) ?? [];
  const tab = tabs.find((tab) => tab === name);
  return { tab: tab ?? "keys", id: id !== null && (tab || name === "key") ? decode(id) : null };
}

/** A malformed escape cannot match an id. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function keyHref(id: string): string {
  return `#key/${encodeURIComponent(id)}`;
}

export function webhookHref(id: string): string {
  return `#webhooks/${encodeURIComponent(id)}`;
}

/** The lists' last filters, until the person is signed out. */
const lists = new Map<Tab, string>();

/** The address of a list as the person left it. */
export function listHref(tab: Tab): string {
  return lists.get(tab) ?? `#${tab}`;
}

/** Removes filters from the address when the person is signed out. */
export function useForgetFilters(): void {
  useEffect(
    () => () => {
      lists.clear();
      history.replaceState(history.state, "", location.pathname + location.hash.split("?")[0]);
    },
    [],
  );
}

/** In the URL's hash, so that a reload, Back and a link keep the filters: `#keys?search=crm`. @param defaults values that the address omits. */
export function useFilters<Filters extends Record<string, string>>(tab: Tab, defaults: Filters) {
  const [filters, setFilters] = useState(() => filtersIn(defaults));
  useEffect(() => {
    const address = addressOf(tab, filters, defaults);
    lists.set(tab, address);
    // A link may contain a secret.
    if (location.hash !== address && location.hash.startsWith(`#${tab}?`))
      history.replaceState(history.state, "", address);
    const read = () => location.hash.startsWith(`#${tab}`) && setFilters(filtersIn(defaults));
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, [tab, filters, defaults]);
  const change = (changes: Partial<Filters>) => {
    const changed = withoutSecrets({ ...filters, ...changes });
    setFilters(changed);
    history.replaceState(history.state, "", addressOf(tab, changed, defaults));
  };
  const field = (name: keyof Filters) => ({
    value: filters[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ [name]: event.currentTarget.value } as Partial<Filters>),
  });
  return { filters, change, field };
}

function filtersIn<Filters extends Record<string, string>>(defaults: Filters): Filters {
  const given = new URLSearchParams(location.hash.split("?")[1]);
  return withoutSecrets({ ...defaults, ...Object.fromEntries([...given].filter(([name]) => name in defaults)) });
}

/** Shortens a key's secret to its prefix, and removes a webhook's secret. */
function withoutSecrets<Filters extends Record<string, string>>(filters: Filters): Filters {
  const harmless = (text: string) => {
    // A pasted secret may contain quotes, line breaks or invisible characters, or be part of a header.
    const [secret] = /tsk_[0-9a-z]{8}|whsec_(?=.)/i.exec(text.replaceAll(/\W/g, "")) ?? [];
    return secret ?? text;
  };
  return Object.fromEntries(Object.entries(filters).map(([name, text]) => [name, harmless(text)])) as Filters;
}

function addressOf(tab: Tab, filters: Record<string, string>, defaults: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([name, value]) => value !== defaults[name]));
  return query.size === 0 ? `#${tab}` : `#${tab}?${query}`;
}
