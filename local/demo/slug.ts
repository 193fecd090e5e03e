const latin: Record<string, string> = { ø: "o", æ: "ae", ð: "d", þ: "th", ł: "l", đ: "d", ŋ: "n", ı: "i" };

/** A text in the letters that an address may hold; empty where it has none in Latin script. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[øæðþłđŋı]/g, (letter) => latin[letter] ?? "")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
