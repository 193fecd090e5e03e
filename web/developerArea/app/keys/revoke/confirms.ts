/** Whether the typed text confirms the revocation: the key's prefix, or its name as far as a person can see and type it. */
export function confirms(typed: string, { name, prefix }: { name: string; prefix: string }): boolean {
  return typed.trim() === prefix || (isTypeable(name) && typeable(typed) === typeable(name));
}

/** False for a name of only invisible characters. */
export function isTypeable(name: string): boolean {
  return typeable(name) !== "";
}

function typeable(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\s/g, " ")
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\p{Dash}/gu, "-")
    .replaceAll(/[‘’‚‛′]/g, "'")
    .replaceAll(/[“”„‟″]/g, '"')
    .replaceAll(/ +/g, " ")
    .trim();
}
