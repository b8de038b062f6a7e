import { readFileSync } from "node:fs"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"

// While a resource is walked, a set of categories is a number: bit n stands for the n-th category.
const categories = SensitiveCategory.literals

const subsets: ReadonlyArray<ReadonlyArray<SensitiveCategory>> = Array.from(
  { length: 1 << categories.length },
  (_, subset) => Object.freeze(categories.filter((_, bit) => (subset >> bit) & 1))
)

const oid = (arcs: string) => `urn:oid:2.16.840.1.113883.${arcs}`

const systems: Record<string, ReadonlyArray<string>> = {
  actcode: [
    "http://terminology.hl7.org/CodeSystem/v3-ActCode",
    "http://terminology.hl7.org/CodeSystem/v3-ActUSPrivacyLaw",
    "http://hl7.org/fhir/v3/ActCode",
    "http://hl7.org/fhir/v3/ActUSPrivacyLaw",
    oid("5.4"),
    oid("5.1138")
  ],
  icd10cm: ["http://hl7.org/fhir/sid/icd-10-cm", "http://hl7.org/fhir/sid/icd-10", oid("6.90"), oid("6.3")],
  icd10pcs: ["http://www.cms.gov/Medicare/Coding/ICD10", "http://hl7.org/fhir/sid/icd-10-pcs", oid("6.4")],
  icd9cm: [
    "http://hl7.org/fhir/sid/icd-9-cm",
    "http://hl7.org/fhir/sid/icd-9-cm/diagnosis",
    "http://hl7.org/fhir/sid/icd-9",
    oid("6.103"),
    oid("6.42"),
    oid("6.2")
  ],
  snomed: ["http://snomed.info/sct", oid("6.96")],
  loinc: ["http://loinc.org", oid("6.1")],
  rxnorm: ["http://www.nlm.nih.gov/research/umls/rxnorm", oid("6.88")],
  hcpcs: [
    "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
    "https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
    "https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets/Alpha-Numeric-HCPCS.html",
    oid("6.285")
  ]
}

/**
 * Writes an ICD code without its dot and in capitals. A dot that is not behind the third character (the fourth of an E
 * code) makes it no diagnosis: 04.2 is an ICD-9 operation, and must not be read as 042.
 */
const plainIcd = (code: string): string => {
  const dot = code.indexOf(".")
  if (dot === -1) return code.toUpperCase()
  const plain = (code.slice(0, dot) + code.slice(dot + 1)).toUpperCase()
  return dot === 3 || (dot === 4 && plain.startsWith("E")) ? plain : ""
}

class CodeSet {
  readonly exact = new Map<string, number>()
  readonly prefixes = new Map<string, number>()
  readonly icd: boolean
  shortest = Infinity
  longest = 0

  constructor(system: string) {
    this.icd = system.startsWith("icd")
  }

  add(match: string, code: string, category: number) {
    const into = match === "prefix" ? this.prefixes : this.exact
    const key = this.icd ? plainIcd(code) : code
    into.set(key, (into.get(key) ?? 0) | category)
    if (match !== "prefix") return
    this.shortest = Math.min(this.shortest, key.length)
    this.longest = Math.max(this.longest, key.length)
  }

  find(code: string): number {
    const key = this.icd ? plainIcd(code) : code
    let found = this.exact.get(key) ?? 0
    const longest = Math.min(this.longest, key.length)
    for (let length = this.shortest; length <= longest; length++) {
      found |= this.prefixes.get(key.slice(0, length)) ?? 0
    }
    // A code longer than any SNOMED CT identifier is an expression of several of them, such as
    // 5602001:246112005=24484000.
    if (found === 0 && code.length > 18) {
      for (const part of code.match(/\d{6,18}/g) ?? []) found |= this.exact.get(part) ?? 0
    }
    return found
  }
}

const readCodeSets = (text: string) => {
  const [version = "", ...lines] = text.split("\n")
  const sets = new Map(Object.keys(systems).map((system) => [system, new CodeSet(system)]))
  for (const line of lines) {
    if (line === "" || line.startsWith("#")) continue
    const [category = "", system = "", match = "", code = ""] = line.split("\t")
    const bit = categories.findIndex((known) => known === category)
    const set = sets.get(system)
    // A line that cannot be read would leave something protected open, so it stops the start.
    if (bit === -1 || set === undefined || (match !== "exact" && match !== "prefix") || code === "") {
      throw new Error(`sensitive-codes.tsv has a line that cannot be read: ${line}`)
    }
    set.add(match, code, 1 << bit)
  }
  return { version: version.slice(2), sets }
}

const { sets, version } = readCodeSets(readFileSync(new URL("./sensitive-codes.tsv", import.meta.url), "utf8"))

export const codeSetVersion = version

const setByUri = new Map(
  Object.entries(systems).flatMap(([system, uris]) => uris.map((uri) => [uri, sets.get(system)!] as const))
)

/**
 * Finds the categories of a parsed FHIR resource by every coding in it, security labels and contained resources
 * included. It runs for each of the 60,000 resources of a large sync, so it needs no recursion, no regular expression
 * and no copy.
 */
export const classify = (resource: unknown): ReadonlyArray<SensitiveCategory> => {
  let found = 0
  const pending: Array<unknown> = [resource]
  while (pending.length > 0) {
    const node = pending.pop()
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) {
        if (typeof node[i] === "object" && node[i] !== null) pending.push(node[i])
      }
    } else if (typeof node === "object" && node !== null) {
      let system: string | undefined
      let code: string | undefined
      for (const key in node) {
        const value = (node as Record<string, unknown>)[key]
        if (typeof value === "object") {
          if (value !== null) pending.push(value)
        } else if (typeof value === "string") {
          if (key === "code") code = value
          else if (key === "system") system = value
        }
      }
      if (code !== undefined && system !== undefined) found |= setByUri.get(system)?.find(code) ?? 0
    }
  }
  return subsets[found]!
}
