// Search, copy buttons and "try it" for the page at /docs, which is complete without them. Nothing is sent to another origin or stored.

/** Creates an element with attributes and content. */
function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

function copyButton(code) {
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  });
  return button;
}

/** The key is only in this field, and gone with the page. */
function addKeyField(main) {
  const attributes = { type: "password", autocomplete: "off", spellcheck: "false", placeholder: "tsk_…" };
  const field = element("input", attributes);
  const label = "Your API key, for “Try it”. It stays in this field. Under /admin, an ID token instead.";
  main.querySelector("h1").after(element("label", { class: "key" }, label, field));
  return field;
}

/** A field that finds guides, operations and schemas. Enter opens the chosen hit, or the first. */
class Search {
  entries = [...document.querySelectorAll("[data-entry]")].map((section) => {
    const title = section.querySelector("h2, h3").textContent;
    return { id: section.id, title, lowerTitle: title.toLowerCase(), text: section.textContent.toLowerCase() };
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
  list = element("ul", { id: "hits", role: "listbox", "aria-label": "Hits" });
  active = 0;

  constructor(place) {
    place.append(this.field, this.list);
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
    this.show(sought === "" ? [] : found(this.entries, sought));
  }

  show(hits, active = 0) {
    this.hits = hits;
    this.active = active;
    this.list.replaceChildren(...hits.map((hit, index) => this.option(hit, index)));
    this.list.hidden = hits.length === 0;
    this.field.setAttribute("aria-expanded", String(hits.length > 0));
    this.field.setAttribute("aria-activedescendant", hits.length > 0 ? `hit-${active}` : "");
  }

  option(hit, index) {
    const selected = String(index === this.active);
    const made = element("li", { id: `hit-${index}`, role: "option", "aria-selected": selected }, hit.title);
    // Before the field loses the focus, which closes the list.
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
    const heading = document.getElementById(id).querySelector("h2, h3");
    heading.tabIndex = -1;
    heading.focus();
  }

  clear() {
    this.field.value = "";
    this.show([]);
  }
}

const maximumHits = 12;

/** The entries with the text, first those whose title begins with it, then those whose title contains it. */
function found(entries, sought) {
  const rank = ({ lowerTitle }) => (lowerTitle.startsWith(sought) ? 0 : lowerTitle.includes(sought) ? 1 : 2);
  return entries
    .filter(({ text }) => text.includes(sought))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, maximumHits);
}

/** Sends a form's request, and shows the response in it. */
async function send(form) {
  const output = form.querySelector("[role=status]");
  const button = form.querySelector("button");
  button.disabled = true;
  output.textContent = "Sending…";
  try {
    const { url, ...request } = requestOf(form);
    const response = await fetch(url, { ...request, cache: "no-store", credentials: "omit" });
    const text = await response.text();
    const status = `${response.status} ${response.statusText}`;
    output.replaceChildren(element("p", {}, element("strong", {}, status)), element("pre", {}, readable(text)));
  } catch (error) {
    output.textContent = `No response: ${error.message}. Check the key, the values and your connection.`;
  } finally {
    button.disabled = false;
  }
}

function requestOf(form) {
  const { method, path } = form.dataset;
  const headers = new Headers(key.value === "" ? {} : { Authorization: `Bearer ${key.value.trim()}` });
  const url = new URL(path, location.origin);
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (value === "") continue;
    if (dataset.in === "query") url.searchParams.set(name, value);
    if (dataset.in === "header") headers.set(name, value);
    if (dataset.in === "path") url.pathname = url.pathname.replace(`%7B${name}%7D`, encodeURIComponent(value));
  }
  const body = form.elements.namedItem("body")?.value;
  if (body) headers.set("Content-Type", "application/json");
  return { url, method, headers, ...(body && { body }) };
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const code of document.querySelectorAll("pre > code")) {
  code.textContent = code.textContent.replaceAll("https://API_ADDRESS", location.origin);
  if (navigator.clipboard) code.parentElement.before(copyButton(code));
}
const key = addKeyField(document.querySelector("main"));
new Search(document.querySelector("search"));
document.addEventListener("submit", (event) => {
  event.preventDefault();
  void send(event.target);
});
