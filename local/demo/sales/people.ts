import { slug } from "../slug.ts";
import type { Chance } from "./chance.ts";

export interface Person {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
}

/** Whoever paid at the counter and went. */
export const nobody: Person = { first_name: null, last_name: null, email: null, phone: null };

/** First and last names that go together. */
const names: [first: string, last: string][] = [
  ["Amara Chidi Ngozi Tunde", "Okonkwo Adeyemi Balogun Eze"],
  ["Aoife Cian Niamh Seán", "Ní_Dhomhnaill O’Sullivan Byrne Mac_Giolla_Phádraig"],
  ["Arjun Priya Meera Rohan", "Iyer Banerjee Kaur Chaudhry"],
  ["Beth Oliver Grace Jack", "Ashworth Featherstonehaugh Lloyd Penrose"],
  ["Zofia Łukasz Agnieszka Michał", "Wójcik Zieliński Kowalczyk Dąbrowska"],
  ["Chloé François Anaïs Jérôme", "Lefèvre Dubois-Martin d’Aubigné Noël"],
  ["Ingrid Bjørn Åse Håkon", "Sørensen Østby Bakke Lie"],
  ["Máret Áilu Biret Niillas", "Sara Hætta Utsi Valkeapää"],
  ["Guðrún Þór Sigríður Örn", "Jónsdóttir Ásgeirsson Magnúsdóttir Þorsteinsson"],
  ["Aino Väinö Päivi Jussi", "Mäkelä Hämäläinen Nyström Öhman"],
  ["Jógvan Marjun Rói Bárður", "Djurhuus á_Lofti Joensen Patursson"],
  ["Elif Çağlar Işıl Ömer", "Yıldız Şahin Öztürk Kılıç"],
  ["Νίκος Ελένη Γιώργος Μαρία", "Παπαδάκης Νικολάου Γεωργίου Βλάχου"],
  ["美咲 健 陽子 大輔", "佐藤 渡辺 高橋 小林"],
].map(([first = "", last = ""]) => [first, last]);

const domains = ["post.example", "mail.example", "letters.example", "home.example", "office.example"];

/** Numbers that regulators keep free for fiction: of Ofcom for London and for no area, of the North American plan. */
const numberRanges = ["+44 20 7946 0xxx", "+44 1632 960xxx", "+1 612 555 01xx"];

/** Somebody. Who comes up twice has the same names and address both times, as a regular would. */
export function somebody(chance: Chance): Person {
  const [firstNames, lastNames] = chance.pick(names);
  const first_name = chance.pick(firstNames.split(" "));
  const last_name = chance.pick(lastNames.split(" ")).replaceAll("_", " ");
  const domain = domains[(first_name.length + last_name.length) % domains.length];
  const email = `${mailbox(first_name, last_name)}@${domain}`;
  return { first_name, last_name, email, phone: chance.happens(0.5) ? phone(chance) : null };
}

function phone(chance: Chance): string {
  return chance.pick(numberRanges).replaceAll("x", () => String(chance.below(10)));
}

/** Who writes in another script has an address that says nothing of the name. */
function mailbox(first: string, last: string): string {
  const latin = [first, last].map(slug).filter(Boolean).join(".");
  return latin || `reader${Array.from(first + last).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)}`;
}
