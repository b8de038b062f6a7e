/**
 * The tests that a clinician looks for first, in this order, by their LOINC codes. They only decide which results are
 * in the first glance: the list of all items has every result.
 */
const keyTests: ReadonlyArray<ReadonlyArray<string>> = [
  ["85354-9", "55284-4"], // blood pressure
  ["8867-4"], // heart rate
  ["59408-5", "2708-6"], // oxygen saturation
  ["4548-4", "17856-6"], // hemoglobin A1c
  ["2345-7", "2339-0", "1558-6"], // glucose
  ["2160-0", "38483-4"], // creatinine
  ["33914-3", "48642-3", "62238-1", "98979-8", "69405-9"], // filtration rate
  ["2823-3", "6298-4"], // potassium
  ["18262-6", "13457-7", "2089-1"], // LDL
  ["718-7"], // hemoglobin
  ["2093-3"], // cholesterol
  ["39156-5"] // body mass index
]

const ranks = new Map(keyTests.flatMap((codes, rank) => codes.map((code) => [code, rank] as const)))

/** The rank of all other tests. */
export const noRank = keyTests.length

/** Lower ranks come first. `test` comes from `testOf`. */
export const rankOf = (test: string): number =>
  ranks.get(/\|http:\/\/loinc\.org\|(.+)$/s.exec(test)?.[1] ?? "") ?? noRank
