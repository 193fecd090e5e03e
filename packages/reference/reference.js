// Search, contents, copy buttons and "try it" for the page at /docs, which also works without scripts. It stores nothing and contacts no other origin.

import { requestOf, samples } from "./samples.js";

/** Creates an element with attributes and content. */
function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

const titleOf = (section) => section.querySelector("h2, h3");

/** For inside the block: with a focusable element, the keyboard can scroll it. */
function copyButton(code) {
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    setTimeout(() => button.replaceChildren("Copy"), 2000);
  });
  return button;
}

/** A field that finds guides, operations and schemas. Enter opens the chosen hit, or the first. */
class Search {
  entries = [...document.querySelectorAll("[data-entry]")].map((section) => {
    const title = titleOf(section).textContent;
    const isSchema = section.id.startsWith("schema/");
    const place = isSchema ? "Schema" : (section.querySelector("form button")?.textContent.replace("Send ", "") ?? "");
    return { id: section.id, title, place, isSchema, text: section.textContent.toLowerCase() };
  });
  field = element("input", {
    type: "search",
    role: "combobox",
    "aria-label": "Search the reference",
    "aria-controls": "hits",
    "aria-autocomplete": "list",
    placeholder: "Search (Ctrl+K)",
    autocomplete: "off",
    spellcheck: "false",
  });
  list = element("ul", { id: "hits", role: "listbox", "aria-label": "Results" });
  status = element("p", { role: "status" });
  active = 0;

  constructor(place) {
    place.append(this.field, element("div", { class: "hits" }, this.list, this.status));
    this.show([]);
    this.field.addEventListener("input", () => this.find());
    this.field.addEventListener("focus", () => this.find());
    this.field.addEventListener("blur", () => this.show([]));
    this.field.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.field.focus();
    });
  }

  find() {
    const sought = this.field.value.trim().toLowerCase();
    const hits = sought === "" ? [] : found(this.entries, sought);
    this.show(hits);
    this.status.textContent = sought !== "" && hits.length === 0 ? `No results for “${sought}”` : "";
  }

  show(hits, active = 0) {
    this.hits = hits;
    this.active = active;
    this.status.textContent = "";
    this.list.replaceChildren(...hits.map((hit, index) => this.option(hit, index)));
    this.list.hidden = hits.length === 0;
    this.field.setAttribute("aria-expanded", String(hits.length > 0));
    this.field.setAttribute("aria-activedescendant", hits.length > 0 ? `hit-${active}` : "");
  }

  option(hit, index) {
    const selected = String(index === this.active);
    const made = element("li", { id: `hit-${index}`, role: "option", "aria-selected": selected });
    made.append(element("span", {}, hit.title), element("small", {}, hit.place));
    // pointerdown comes before the field loses the focus, which closes the list.
    made.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.open(hit);
    });
    return made;
  }

  onKey(event) {
    const { hits, active } = this;
    const turn = (step) => this.show(hits, (active + step + hits.length) % Math.max(1, hits.length));
    const actions = {
      ArrowDown: () => turn(1),
      ArrowUp: () => turn(-1),
      Enter: () => hits.length > 0 && this.open(hits[active]),
      Escape: () => this.clear(),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  open({ id }) {
    this.clear();
    location.hash = id;
    const heading = titleOf(document.getElementById(id));
    heading.tabIndex = -1;
    heading.focus();
  }

  clear() {
    this.field.value = "";
    this.show([]);
  }
}

const maximumHits = 12;

/** The entries with the text, ordered by a match at the title's start, within the title, and elsewhere; schemas rank one place lower. */
function found(entries, sought) {
  const at = ({ title }) => title.toLowerCase().indexOf(sought);
  const rank = (entry) => Number(entry.isSchema) + (at(entry) < 0 ? 2 : Math.min(at(entry), 1));
  return entries
    .filter(({ text }) => text.includes(sought))
    .sort((one, other) => rank(one) - rank(other) || one.isSchema - other.isSchema || at(one) - at(other))
    .slice(0, maximumHits);
}

/** Marks the current section in the contents, and closes them after a click on a link. */
function followReading(contents) {
  const links = [...contents.querySelectorAll("a[href^='#']")];
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = ({ type } = {}) => {
    const line = Math.max(innerHeight / 4, 2 * document.querySelector("header").offsetHeight);
    const last = sections.findLastIndex((section) => section.getBoundingClientRect().top < line);
    const current = links[Math.max(0, last)];
    if (current.ariaCurrent && type !== "toggle") return;
    for (const link of links) link.removeAttribute("aria-current");
    current.setAttribute("aria-current", "location");
    const { offsetTop, offsetHeight } = current;
    const isShown =
      offsetTop > contents.scrollTop && offsetTop + offsetHeight < contents.scrollTop + contents.clientHeight;
    if (!isShown) contents.scrollTop = offsetTop - contents.clientHeight / 3;
  };
  addEventListener("scroll", mark, { passive: true });
  contents.addEventListener("toggle", mark);
  contents.addEventListener("click", ({ target }) => target.closest("a") && contents.hidePopover());
  // On a wide screen the contents are a column instead of a menu.
  matchMedia("(width > 60em)").addEventListener("change", () => contents.hidePopover());
  mark();
}

/** Shows the same language everywhere without moving the page. */
function chooseTab(event) {
  const chosen = event.target.closest(".tabs summary");
  if (!chosen) return;
  event.preventDefault();
  const { top } = chosen.getBoundingClientRect();
  for (const tab of document.querySelectorAll(".tabs summary")) {
    if (tab.textContent === chosen.textContent) tab.parentElement.open = true;
  }
  scrollBy({ top: chosen.getBoundingClientRect().top - top, behavior: "instant" });
}

/** Opens the example to which a link leads. */
const openTarget = () => document.getElementById(location.hash.slice(1))?.closest(".tabs summary")?.click();

/** Sends a form's request, and shows the response in it. */
async function send(form) {
  const output = form.querySelector("[role=status]");
  const button = form.querySelector("button");
  const { url, method, headers, body } = formRequest(form);
  if (method !== "GET" && !(await isConfirmed(`${method} ${url}`))) return;
  button.disabled = true;
  output.textContent = "Sending…";
  try {
    const key = form.elements.credential.value.trim();
    const authorization = key === "" ? [] : [["Authorization", `Bearer ${key}`]];
    const options = { method, headers: [...authorization, ...headers], body, cache: "no-store", credentials: "omit" };
    const response = await fetch(url, options);
    const text = await response.text();
    const status = `${response.status} ${response.statusText}`;
    output.replaceChildren(element("p", {}, element("strong", {}, status)), element("pre", {}, readable(text)));
  } catch (error) {
    output.textContent = `No response: ${error.message}. Check the key, the values and your connection.`;
  } finally {
    button.disabled = false;
  }
}

/** Asks before a write, because it changes real data. */
function isConfirmed(request) {
  const dialog = document.querySelector("dialog");
  dialog.querySelector("code").textContent = request;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "send"), { once: true });
  });
}

/** The request from a form's fields, without the key. */
function formRequest(form) {
  const parameters = [...form.querySelectorAll("[data-in]")].map(({ name, value, required, dataset }) => ({
    ...{ name, value, in: dataset.in, isRequired: required },
  }));
  return requestOf({
    ...form.dataset,
    address: location.origin,
    parameters,
    body: form.elements.body?.value || undefined,
  });
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Copies a key to the other forms that take it. The samples show all other input. */
function onInput({ target }) {
  const { form } = target;
  if (!form?.dataset.path) return;
  if (target.name === "credential") {
    const alike = document.querySelectorAll(`form[data-credential=${form.dataset.credential}]`);
    for (const { elements } of alike) elements.credential.value = target.value;
    return;
  }
  const request = formRequest(form);
  const codes = form.closest("section").querySelectorAll("aside details code");
  Object.values(samples).forEach((sample, index) => {
    codes[index].textContent = sample(request, form.dataset.credential);
  });
}

for (const code of document.querySelectorAll("code")) {
  if (code.textContent.includes("https://API_ADDRESS"))
    code.textContent = code.textContent.replaceAll("https://API_ADDRESS", location.origin);
  if (navigator.clipboard && code.matches("main pre > code")) code.before(copyButton(code));
}
new Search(document.querySelector("search"));
followReading(document.querySelector("#contents"));
document.addEventListener("click", chooseTab);
addEventListener("hashchange", openTarget);
openTarget();
document.addEventListener("input", onInput);
document.addEventListener("submit", (event) => {
  if (!event.target.dataset.path) return;
  event.preventDefault();
  void send(event.target);
});
