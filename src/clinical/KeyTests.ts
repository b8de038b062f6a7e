/** A test that a clinician looks for first. */
interface KeyTest {
  readonly name: string
  /** LOINC codes. */
  readonly codes: ReadonlyArray<string>
}

/**
 * The key tests in their order of importance. They decide which results are in the first glance, and how these are
 * called: LOINC's own names are long. The list of all items has every result with the source's words.
 */
const keyTests: ReadonlyArray<ReadonlyArray<KeyTest>> = [
  [{ name: "Blood pressure", codes: ["85354-9", "55284-4"] }],
  [{ name: "Heart rate", codes: ["8867-4"] }],
  [{ name: "Oxygen saturation", codes: ["59408-5", "2708-6"] }],
  [{ name: "Hemoglobin A1c", codes: ["4548-4", "17856-6"] }],
  [{ name: "Glucose", codes: ["2345-7", "2339-0"] }, { name: "Fasting glucose", codes: ["1558-6"] }],
  [{ name: "Creatinine", codes: ["2160-0", "38483-4"] }],
  [{ name: "eGFR", codes: ["33914-3", "48642-3", "62238-1", "98979-8", "69405-9"] }],
  [{ name: "Potassium", codes: ["2823-3", "6298-4"] }],
  [{ name: "LDL cholesterol", codes: ["18262-6", "13457-7", "2089-1"] }],
  [{ name: "Hemoglobin", codes: ["718-7"] }],
  [{ name: "Total cholesterol", codes: ["2093-3"] }],
  [{ name: "Body mass index", codes: ["39156-5"] }]
]

const known = new Map(
  keyTests.flatMap((tests, rank) =>
    tests.flatMap(({ codes, name }) => codes.map((code) => [code, { name, rank }] as const))
  )
)

/** `test` comes from `testOf`. */
const keyTestOf = (test: string) => known.get(/\|http:\/\/loinc\.org\|(.+)$/s.exec(test)?.[1] ?? "")

/** The rank of all other tests. */
export const noRank = keyTests.length

/** Lower ranks come first. */
export const rankOf = (test: string): number => keyTestOf(test)?.rank ?? noRank

/** The short name of a key test. */
export const shortNameOf = (test: string): string | undefined => keyTestOf(test)?.name
