import { invisible } from "../../domain/Blank.ts"

const oid = (arcs: string) => `2.16.840.1.113883.${arcs}`

const hl7 = "terminology.hl7.org/codesystem"

/** The code systems that are searched, each with its names in the form of `normalSystem`. */
const names = {
  actcode: [
    `${hl7}/v3-actcode`,
    `${hl7}/v3-actusprivacylaw`,
    "hl7.org/fhir/v3/actcode",
    "hl7.org/fhir/v3/actusprivacylaw",
    oid("5.4"),
    oid("5.1138"),
    "actcode"
  ],
  icd10cm: [
    "hl7.org/fhir/sid/icd-10-cm",
    "hl7.org/fhir/sid/icd-10",
    `${hl7}/icd10cm`,
    `${hl7}/icd10`,
    oid("6.90"),
    oid("6.3"),
    "icd10",
    "icd-10",
    "icd10cm",
    "icd-10-cm",
    "i10",
    "i10c"
  ],
  icd10pcs: [
    "cms.gov/medicare/coding/icd10",
    "hl7.org/fhir/sid/icd-10-pcs",
    `${hl7}/icd10pcs`,
    oid("6.4"),
    "icd10pcs",
    "icd-10-pcs",
    "i10p"
  ],
  icd9cm: [
    "hl7.org/fhir/sid/icd-9-cm",
    "hl7.org/fhir/sid/icd-9-cm/diagnosis",
    "hl7.org/fhir/sid/icd-9",
    `${hl7}/icd9cm`,
    oid("6.103"),
    oid("6.42"),
    oid("6.2"),
    "icd9",
    "icd-9",
    "icd9cm",
    "icd-9-cm",
    "i9",
    "i9c",
    "i9cdx"
  ],
  snomed: ["snomed.info/sct", `${hl7}/snomed`, oid("6.96"), oid("6.5"), "snomed", "snomedct", "snomed-ct", "sct"],
  loinc: ["loinc.org", `${hl7}/v3-loinc`, oid("6.1"), "loinc", "ln"],
  rxnorm: ["nlm.nih.gov/research/umls/rxnorm", `${hl7}/v3-rxnorm`, oid("6.88"), "rxnorm"],
  ndc: ["hl7.org/fhir/sid/ndc", `${hl7}/v3-ndc`, `${hl7}/ndc`, oid("6.69"), "ndc"],
  cpt: ["ama-assn.org/go/cpt", `${hl7}/cpt`, `${hl7}/v3-cpt-4`, oid("6.12"), "cpt", "cpt4", "cpt-4", "c4"],
  hcpcs: [
    "cms.gov/medicare/coding/hcpcsreleasecodesets",
    "cms.gov/medicare/coding/hcpcsreleasecodesets/alpha-numeric-hcpcs.html",
    `${hl7}/hcpcs`,
    `${hl7}/hcpcs-level-ii`,
    oid("6.285"),
    "hcpcs",
    "hpc"
  ]
} satisfies Record<string, ReadonlyArray<string>>

export type CodeSystem = keyof typeof names

export const codeSystems = Object.keys(names) as ReadonlyArray<CodeSystem>

/** Prefixes of other systems that are known to be harmless. */
const harmless = [
  "terminology.hl7.org/",
  "hl7.org/fhir/sid/cvx",
  "hl7.org/fhir/sid/mvx",
  "hl7.org/fhir/sid/us-",
  "unitsofmeasure.org",
  "urn:ietf:",
  "urn:iso:",
  "ihe.net/",
  "dicom.nema.org/",
  "genenames.org",
  "nubc.org/",
  "nucc.org/",
  oid("5."),
  oid("6.8"),
  oid("6.238"),
  oid("12.292")
]

/** FHIR's own code systems are harmless. Systems under `sid` belong to other organizations. */
const harmlessName = /^hl7\.org\/fhir\/(?!sid\/)/

/**
 * Normalises a system's URI, OID or name. This drops case, blanks, `http` or `https`, `www.`, `urn:oid:`, a version or
 * fragment and trailing slashes. All editions of SNOMED CT become one.
 */
export const normalSystem = (system: string): string => {
  const plain = system.replace(/\s+/g, "").replace(invisible, "").toLowerCase()
    .replace(/[|#?].*/s, "")
    .replace(/^(?:https?:|urn:oid:|oid:|www\.|\/)+/, "")
  let end = plain.length
  while (plain[end - 1] === "/" || plain[end - 1] === ".") end--
  const bare = plain.slice(0, end)
  return /^snomed\.info\/(?:x?sct|id)(?:\/|$)/.test(bare) ? "snomed.info/sct" : bare
}

const systemByName = new Map(codeSystems.flatMap((system) => names[system].map((name) => [name, system] as const)))

/** `none` stands for an empty system, for which every code set is tried. */
export type SystemKind = CodeSystem | "none" | "harmless" | "unknown"

const kindOf = (system: string): SystemKind => {
  const name = normalSystem(system)
  if (name === "") return "none"
  return systemByName.get(name) ??
    (harmlessName.test(name) || harmless.some((beginning) => name.startsWith(beginning)) ? "harmless" : "unknown")
}

const kinds = new Map<string, SystemKind>()

/** Limit of the cache. A record has a few dozen systems, but a sender who invents more must not fill the memory. */
const maxKinds = 1_000

/** Returns the kind of a system. The caller limits the length of its text. */
export const systemKind = (system: unknown): SystemKind => {
  if (typeof system !== "string") return "none"
  const known = kinds.get(system)
  if (known !== undefined) return known
  const kind = kindOf(system)
  if (kinds.size >= maxKinds) kinds.clear()
  kinds.set(system, kind)
  return kind
}
