import { awkward, patients, patientTexts } from "../../support/Collection.ts"
import { fhirBase } from "./SearchOracle.ts"

const concept = (system: string, code: string) => ({ coding: [{ system, code }], text: "In words" })

const references = (type: string) => [
  `${type}/a1`,
  `${type}/A1`,
  `${type}/a1/_history/2`,
  `https://sandbox.example/fhir/${type}/a1`,
  `https://sandbox.example/fhir/${type}/a1/_history/3`,
  `${fhirBase}/${type}/a1`,
  `urn:uuid:6b2f1f0e-0000-4000-8000-0000000000a1`,
  `${type}?identifier=http://ids.example|1,2`,
  "Patient/a1",
  "#a1"
]

const periods = [{ start: "2020-02-03", end: "2020-03" }, { start: "2021" }, { end: "2019-12-31T23:59:59Z" }, {}]

/** Resources of kinds, and with values, of which the shared patients have few or none. */
const made: Readonly<Record<string, ReadonlyArray<object>>> = {
  CareTeam: [{
    participant: [{ role: [concept("http://s.example", "106292003")] }, { role: concept("http://s.example", "x") }]
  }],
  CarePlan: periods.map((period) => ({ period })),
  Condition: [
    ...references("Encounter").map((reference) => ({ encounter: { reference } })),
    ...periods.map((period) => ({ abatementPeriod: period, onsetPeriod: period })),
    { abatementString: "2020-02-03", onsetAge: { value: 50 }, recordedDate: "2020-02-03" }
  ],
  Device: [{ status: "active", type: concept("http://s.example", "360063003") }],
  Encounter: [
    { location: references("Location").map((reference) => ({ location: { reference } })) },
    {
      identifier: [{ system: "http://ids.example", value: "7" }, { value: "8" }, { type: { coding: [{ code: "7" }] } }]
    },
    { hospitalization: { dischargeDisposition: concept("http://d.example", "home") } }
  ],
  DocumentReference: periods.map((period) => ({ context: { period } })),
  Goal: [{
    description: concept("http://s.example", "160903007"),
    target: [{ dueDate: "2020-02" }, { dueString: "soon" }]
  }],
  Immunization: [{ occurrenceString: "2020-02-03" }, { occurrenceDateTime: "2020-02-03T04:05:06+14:00" }],
  MedicationDispense: [{ status: "completed", type: concept("http://t.example", "FF") }, { status: "on-hold" }],
  MedicationRequest: references("Encounter").map((reference) => ({ encounter: { reference } })),
  Observation: [
    ...periods.map((period) => ({ effectivePeriod: period })),
    { effectiveInstant: "2020-02-03T04:05:06.789-11:00" }
  ],
  Patient: [
    {
      name: [{ family: "Carreño Quiñones", given: ["José Ángel", "Mary  Ann"], prefix: ["Dr."] }],
      birthDate: "1950-02"
    },
    { name: [{ family: "O'Brien", text: "Smith-Jones, Anne-Marie" }], gender: "other", birthDate: "1950" },
    {
      name: [{ family: "Ｗｉｄｅ", given: ["ΑΣΙΜΗΣ"], suffix: ["Jr."] }, { family: "İnönü" }],
      birthDate: "1950-02-28"
    },
    { name: [{ text: "Heart Otter 12" }], identifier: [{ system: "http://ids.example", value: "a b" }] }
  ],
  Procedure: [...periods.map((period) => ({ performedPeriod: period })), { performedString: "2020" }],
  QuestionnaireResponse: [
    ...["http://q.example/Questionnaire/q1|2.0", "http://q.example/Questionnaire/q1", "Questionnaire/q1", "urn:uuid:q1"]
      .map((questionnaire) => ({ questionnaire, status: "completed", authored: "2020-01-02T03:04:05.678+02:00" })),
    { questionnaire: "http://q.example/Questionnaire/q1|1" }
  ]
}

/** The exact texts of all resources of the shared patients, of the unusual and of the made resources, by type. */
export const searchedTexts: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  [...Map.groupBy([
    ...patients.flatMap((patient) =>
      Object.entries(patientTexts(patient)).flatMap(([type, texts]) => texts.map((text) => [type, text] as const))
    ),
    ...awkward.map(({ text }) => [JSON.parse(text).resourceType as string, text] as const),
    ...Object.entries(made).flatMap(([type, resources]) =>
      resources.map((members, at) =>
        [type, JSON.stringify({ resourceType: type, id: `made-${at}`, ...members })] as const
      )
    )
  ], ([type]) => type)].map(([type, pairs]) => [type, pairs.map(([, text]) => text)])
)
