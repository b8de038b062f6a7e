import { readFileSync } from "node:fs"
import { invisible } from "../../domain/Blank.ts"
import { type CodeSystem, codeSystems, type SystemKind } from "./CodeSystems.ts"
import { categoryBit, readTable, toAdvice } from "./SensitiveTables.ts"

/** Arabic and Hebrew ligatures. NFKC would expand one of them to 18 characters, but no other character to over six. */
const growing = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g

/** Drops characters that no code contains: blanks, tabs and zero-width characters. */
const bare = (code: string) => code.replace(growing, "\ufffd").normalize("NFKC").replace(/[\s\p{Cf}]+/gu, "")

/** An invisible character may separate two codes or stand within one code: both readings are tried. */
const readings = (code: string): ReadonlyArray<string> =>
  /^[!-~]*$/.test(code) ? [code] : [bare(code), bare(code.replace(invisible, ""))]

/** Removes the dot of an ICD diagnosis. A dot elsewhere gives an empty text: operation 04.2 is not diagnosis 042. */
const plainIcd = (code: string): string => {
  const dot = code.indexOf(".")
  if (dot === -1) return code
  const plain = code.slice(0, dot) + code.slice(dot + 1)
  return dot === 3 || (dot === 4 && plain.startsWith("E")) ? plain : ""
}

/**
 * Writes the labeler and product of an NDC as the first nine digits of its 11-digit form. Ten digits without hyphens
 * may be 4-4-2, 5-3-2 or 5-4-1, so they have three readings. VistA's extra 0 in front of the labeler is dropped.
 */
export const ndcProducts = (code: string): ReadonlyArray<string> => {
  if (!/^\d[\d-]*$/.test(code) || code.length > 16) return []
  const [labeler = "", product] = code.split("-")
  if (product !== undefined) return [labeler.replace(/^0+/, "").padStart(5, "0") + product.padStart(4, "0")]
  const cut = (first: number, second: number) =>
    code.slice(0, first).padStart(5, "0") + code.slice(first, first + second).padStart(4, "0")
  if (code.length === 12 && code.startsWith("0")) return [code.slice(1, 10)]
  if (code.length === 11 || code.length === 9) return [code.slice(0, 9)]
  if (code.length === 10) return [cut(4, 4), cut(5, 3), cut(5, 4)]
  return code.length === 8 ? [cut(4, 4), cut(5, 3)] : []
}

/** Returns all forms of a code, which must be in capitals. The code sets hold only the first; a search tries all. */
const keysOf = (system: CodeSystem, code: string): ReadonlyArray<string> => {
  switch (system) {
    case "icd10cm":
    case "icd10pcs":
    case "icd9cm":
      return [plainIcd(code)]
    case "ndc":
      return ndcProducts(code)
    case "snomed":
      // A value with other characters is a URI, a code with its term, or an expression (5602001:246112005=24484000).
      return /^\d*$/.test(code) ? [code] : code.match(/\d{6,18}/g) ?? []
    default:
      return [code]
  }
}

class CodeSet {
  readonly exact = new Map<string, number>()
  readonly prefixes = new Map<string, number>()
  readonly system: CodeSystem
  shortest = Infinity
  longest = 0

  constructor(system: CodeSystem) {
    this.system = system
  }

  add(match: string, code: string, bit: number) {
    const into = match === "prefix" ? this.prefixes : this.exact
    const key = keysOf(this.system, code.toUpperCase())[0]!
    into.set(key, (into.get(key) ?? 0) | bit)
    if (match !== "prefix") return
    this.shortest = Math.min(this.shortest, key.length)
    this.longest = Math.max(this.longest, key.length)
  }

  find(code: string): number {
    let found = 0
    for (const key of keysOf(this.system, code)) {
      found |= this.exact.get(key) ?? 0
      const longest = Math.min(this.longest, key.length)
      for (let length = this.shortest; length <= longest; length++) {
        found |= this.prefixes.get(key.slice(0, length)) ?? 0
      }
    }
    return found
  }
}

export const codesText = readFileSync(new URL("./sensitive-codes.tsv", import.meta.url), "utf8")

const sets = new Map(codeSystems.map((system) => [system as string, new CodeSet(system)]))

/** Groups systems with similar codes. A coding without a system is looked up in one combined set per group. */
const likeness = (system: CodeSystem): CodeSystem =>
  system.startsWith("icd") ? "icd10cm" : system === "ndc" || system === "snomed" ? system : "loinc"

const anywhere = new Map(codeSystems.map(likeness).map((system) => [system, new CodeSet(system)]))

for (const { cells: [category = "", system = "", match = "", code = ""], refuse } of readTable(codesText)) {
  const bit = categoryBit(category)
  const set = sets.get(system)
  if (bit === 0 || set === undefined || !["exact", "prefix", "advice"].includes(match) || code === "") throw refuse()
  const found = match === "advice" ? toAdvice(bit) : bit
  set.add(match, code, found)
  anywhere.get(likeness(set.system))!.add(match, code, found)
}

/** Finds the categories of a code. The caller limits its length. A code without a system is looked up in every set. */
export const findCode = (kind: SystemKind, code: string): number => {
  if (kind === "harmless" || kind === "unknown") return 0
  const searched = kind === "none" ? [...anywhere.values()] : [sets.get(kind)!]
  let found = 0
  for (const reading of readings(code)) {
    const key = reading.toUpperCase()
    for (const set of searched) found |= set.find(key)
  }
  return found
}
