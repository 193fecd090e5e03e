const opcodes = new Map([
  ["aconst_null", 0x01],
  ["iconst_0", 0x03],
  ["iconst_1", 0x04],
  ["ldc_w", 0x13],
  ["aload_1", 0x2b],
  ["aload_2", 0x2c],
  ["astore_1", 0x4c],
  ["astore_2", 0x4d],
  ["pop", 0x57],
  ["dup", 0x59],
  ["return", 0xb1],
  ["getstatic", 0xb2],
  ["invokevirtual", 0xb6],
  ["invokespecial", 0xb7],
  ["invokestatic", 0xb8],
  ["new", 0xbb],
]);
const tags = { text: 1, class: 7, string: 8, field: 9, method: 10, nameAndType: 12 };
const flags = { public: 0x0001, static: 0x0008, super: 0x0020 };
/** Java 8's format, which every later Java reads. Code without branches needs no stack maps. */
const formatVersion = 52;
/** Upper bounds for the programs here. */
const maximumStack = 16;
const maximumVariables = 4;
const [none, one] = [u2(0), u2(1)];

/**
 * The bytes of a Java class file (Java Virtual Machine Specification, chapter 4) whose main method runs the instructions.
 *
 * @param instructions one per line, as `javap -c` prints them: an opcode and, if it takes one, a class, member or string operand.
 */
export function mainClass(className: string, instructions: string): Buffer {
  const constants = new Constants();
  const lines = instructions.trim().split("\n");
  const code = Buffer.concat(lines.map((line) => encode(line.trim(), constants)));
  const codeContent = [u2(maximumStack), u2(maximumVariables), u4(code.length), code, none, none];
  const main = [
    u2(flags.public | flags.static),
    u2(constants.text("main")),
    u2(constants.text("([Ljava/lang/String;)V")),
    one,
    u2(constants.text("Code")),
    u4(Buffer.concat(codeContent).length),
    ...codeContent,
  ];
  const names = [u2(constants.class(className)), u2(constants.class("java/lang/Object"))];
  const [interfaces, fields, attributes] = [none, none, none];
  const head = [u4(0xcafebabe), u4(formatVersion), constants.bytes(), u2(flags.public | flags.super), ...names];
  return Buffer.concat([...head, interfaces, fields, one, ...main, attributes]);
}

function encode(line: string, constants: Constants): Buffer {
  const [mnemonic = "", operand] = line.split(" ");
  const opcode = opcodes.get(mnemonic);
  if (opcode === undefined) throw new Error(`Unknown instruction: ${line}`);
  if (operand === undefined) return u1(opcode);
  if (mnemonic === "new") return Buffer.concat([u1(opcode), u2(constants.class(operand))]);
  if (mnemonic === "ldc_w") return Buffer.concat([u1(opcode), u2(constants.string(operand))]);
  return Buffer.concat([u1(opcode), u2(constants.member(operand))]);
}

/** A class's constant pool. Each method returns a constant's index and adds the constant if it is new. */
class Constants {
  readonly #indexes = new Map<string, number>();

  text(value: string): number {
    return this.#add(tags.text, u2(value.length), Buffer.from(value));
  }

  class(name: string): number {
    return this.#add(tags.class, u2(this.text(name)));
  }

  string(value: string): number {
    return this.#add(tags.string, u2(this.text(value)));
  }

  /** @param reference a field (`java/lang/System.in:Ljava/io/InputStream;`) or a method (`java/io/InputStream.read:()I`). */
  member(reference: string): number {
    const [owner = "", name = "", descriptor = ""] = reference.split(/[.:]/);
    const nameAndType = this.#add(tags.nameAndType, u2(this.text(name)), u2(this.text(descriptor)));
    return this.#add(descriptor.startsWith("(") ? tags.method : tags.field, u2(this.class(owner)), u2(nameAndType));
  }

  bytes(): Buffer {
    const entries = [...this.#indexes.keys()].map((entry) => Buffer.from(entry, "latin1"));
    return Buffer.concat([u2(entries.length + 1), ...entries]);
  }

  #add(tag: number, ...content: Buffer[]): number {
    const entry = Buffer.concat([u1(tag), ...content]).toString("latin1");
    const index = this.#indexes.get(entry) ?? this.#indexes.size + 1;
    this.#indexes.set(entry, index);
    return index;
  }
}

function u1(value: number): Buffer {
  return Buffer.from([value]);
}

function u2(value: number): Buffer {
  return Buffer.from([value >>> 8, value & 0xff]);
}

function u4(value: number): Buffer {
  return Buffer.concat([u2(value >>> 16), u2(value & 0xffff)]);
}
