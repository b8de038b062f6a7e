import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { address, contactPoint } from "../../src/clinical/Address.ts"
import { annotation, annotations } from "../../src/clinical/Annotation.ts"
import { attachment, inlineFiles } from "../../src/clinical/Attachment.ts"
import { codeOf, codeText, codeTexts } from "../../src/clinical/Coding.ts"
import { dateText, period } from "../../src/clinical/DateText.ts"
import { dosage, dosages } from "../../src/clinical/Dosage.ts"
import { element } from "../../src/clinical/Element.ts"
import { parse } from "../../src/clinical/ExactJson.ts"
import { humanName, humanNames } from "../../src/clinical/HumanName.ts"
import { identifier } from "../../src/clinical/Identifier.ts"
import { interpretation } from "../../src/clinical/Interpretation.ts"
import { money, quantity, range, ratio, sampledData } from "../../src/clinical/Quantity.ts"
import { reference, references } from "../../src/clinical/Reference.ts"
import { timing } from "../../src/clinical/Timing.ts"
import { choice } from "../../src/clinical/Value.ts"
import { seededRandom } from "../support/Random.ts"
import { mutilate } from "./Mutilation.ts"

const titleOf = (reference: string) => reference === "Practitioner/1" ? "Dr. Ada Lovelace" : undefined

const loinc = "http://loinc.org"

const hl7 = "http://terminology.hl7.org/CodeSystem"

type Reading = (json: unknown, titleOf: (reference: string) => string | undefined) => string | null

const cases: ReadonlyArray<readonly [string, Reading, ReadonlyArray<readonly [json: string, text: string | null]>]> = [
  ["codeText", codeText, [
    [`{"text":"Glucose","coding":[{"display":"Glucose in blood"}]}`, "Glucose"],
    [`{"text":" ","coding":[{"code":"1"},{"display":"Glucose in blood"},{"display":"Other"}]}`, "Glucose in blood"],
    [`{"text":"\u3164 \u2800\u034f","coding":[{"code":"1"},{"display":"Glucose in blood"}]}`, "Glucose in blood"],
    [`{"coding":[{"system":"${loinc}","code":"2339-0"}]}`, "LOINC 2339-0 (code without words)"],
    [`{"coding":[{"code":"2339-0"}]}`, "2339-0 (code without words)"],
    [`{"coding":[{"system":"${hl7}/condition-clinical","code":"active"}]}`, "Active"],
    [`{"coding":[{"system":"${hl7}/v3-ActCode","code":"AMB"}]}`, "v3-ActCode AMB (code without words)"],
    [`{"system":"${loinc}","code":"1","display":"Coding"}`, "Coding"],
    [`{"coding":[{"system":"constructor","code":"__proto__"}]}`, "constructor __proto__ (code without words)"],
    [`{"coding":{"display":"not in a list"}}`, "not in a list"],
    [`"words alone"`, "words alone"],
    [`{"coding":[]}`, null],
    [`{"coding":[{"system":"${loinc}"}]}`, null]
  ]],
  ["codeOf", codeOf, [
    [
      `{"coding":[{"system":"${loinc}","code":"2339-0"},{"system":"http://snomed.info/sct","code":"33747003"},{"system":"${loinc}","code":"2339-0"}]}`,
      "LOINC 2339-0, SNOMED CT 33747003"
    ],
    [`{"text":"Glucose"}`, null]
  ]],
  ["codeTexts", codeTexts, [[`[{"text":"a"},null,{"text":"b"},{"text":"a"}]`, "a, b"]]],
  ["quantity", quantity, [
    [`{"value":1.00,"unit":"mg/dL","code":"mg"}`, "1.00 mg/dL"],
    [`{"value":5.40,"comparator":"<","code":"mmol/L"}`, "< 5.40 mmol/L"],
    [`{"value":-1.000000000000000000E+245,"comparator":">="}`, ">= -1.000000000000000000E+245"],
    [`{"value":7,"code":"1"}`, "7"],
    [`{"value":0,"unit":"%"}`, "0 %"],
    [`{"value":"1.50","unit":"g"}`, "1.50 g"],
    [`{"unit":"mg"}`, null],
    [`{"value":{},"unit":"mg"}`, null]
  ]],
  ["range", range, [
    [`{"low":{"value":3.50,"unit":"mmol/L"},"high":{"value":5.1,"unit":"mmol/L"}}`, "3.50 to 5.1 mmol/L"],
    [`{"low":{"value":1,"unit":"g"},"high":{"value":2,"unit":"kg"}}`, "1 g to 2 kg"],
    [`{"low":{"value":1},"high":{"value":2}}`, "1 to 2"],
    [`{"low":{"value":60.0,"unit":"a"}}`, "at least 60.0 a"],
    [`{"high":{"value":8}}`, "at most 8"],
    [`{"low":[],"high":5}`, null]
  ]],
  ["ratio", ratio, [
    [`{"numerator":{"value":1},"denominator":{"value":128}}`, "1:128"],
    [`{"numerator":{"value":5.0,"unit":"mg"},"denominator":{"value":1,"unit":"mL"}}`, "5.0 mg per 1 mL"],
    [`{"denominator":{"value":1,"unit":"mL"}}`, "per 1 mL"]
  ]],
  ["sampledData", sampledData, [
    [
      `{"origin":{"value":2048.0,"unit":"uV"},"period":10.0,"factor":1.612,"lowerLimit":-3300,"dimensions":1,"data":"2041 E 2037"}`,
      "Samples one each 10.0 ms, from 2048.0 uV, times 1.612, lower limit -3300, dimensions 1: 2041 E 2037"
    ],
    [`{"data":"1 2"}`, "Samples: 1 2"],
    [`{"origin":{"value":1}}`, null]
  ]],
  ["money", money, [[`{"value":12.50,"currency":"USD"}`, "12.50 USD"]]],
  ["dateText", dateText, [
    [`"2019-03"`, "2019-03"],
    [`"2019-03-15"`, "2019-03-15"],
    [`"2019-03-15T14:05:00-07:00"`, "2019-03-15 14:05 -07:00"],
    [`"2019-03-15T14:05:30.250Z"`, "2019-03-15 14:05:30.250 UTC"],
    [`"2019-03-15T14:05:00.000Z"`, "2019-03-15 14:05 UTC"],
    [`"2019-03-15T14:05"`, "2019-03-15 14:05"],
    [`"last spring"`, "last spring"],
    [`{}`, null]
  ]],
  ["period", period, [
    [`{"start":"2019-03","end":"2020"}`, "2019-03 to 2020"],
    [`{"start":"2019-03-15T14:05:00Z"}`, "since 2019-03-15 14:05 UTC"],
    [`{"end":"2020"}`, "until 2020"],
    [`{"start":"2020","end":"2020"}`, "2020"],
    [`[]`, null]
  ]],
  ["humanName", humanName, [
    [`{"text":"김은혜","family":"Kim"}`, "김은혜"],
    [`{"prefix":["Dr."],"given":["Ali","Ali"],"family":"Ali","suffix":["MD"]}`, "Dr. Ali Ali Ali MD"],
    [`{"use":"maiden","family":"Doe"}`, "Doe (maiden)"],
    [`{"use":"official","given":"Jo"}`, "Jo"],
    [`{"use":"official"}`, null]
  ]],
  ["humanNames", humanNames, [[`[{"text":"A"},{"text":"B"}]`, "A, B"]]],
  ["address", address, [
    [`{"line":["1 Main St","Apt 2"],"city":"Boston","state":"MA","postalCode":"02134","country":"US"}`,
      "1 Main St, Apt 2, Boston, MA 02134, US"],
    [`{"text":"as written","city":"Boston"}`, "as written"]
  ]],
  ["contactPoint", contactPoint, [[`{"system":"phone","value":"555-0100","use":"work"}`, "phone 555-0100 (work)"], [
    `{"system":"phone"}`,
    null
  ]]],
  ["identifier", identifier, [
    [`{"type":{"text":"MRN"},"system":"http://x","value":"12"}`, "MRN 12"],
    [`{"system":"http://hl7.org/fhir/sid/us-npi","value":"12"}`, "NPI 12"],
    [`{"system":"http://x"}`, null]
  ]],
  ["reference", reference, [
    [`{"reference":"Practitioner/1","display":"A. L."}`, "Dr. Ada Lovelace"],
    [`{"reference":"Practitioner/2","display":"A. L."}`, "A. L."],
    [`{"reference":"Practitioner/2","identifier":{"value":"77"}}`, "77"],
    [`{"reference":"Practitioner/2"}`, "Practitioner/2"],
    [`"Practitioner/1"`, "Dr. Ada Lovelace"],
    [`{}`, null]
  ]],
  ["references", references, [[`[{"reference":"Practitioner/1"},{"display":"B"}]`, "Dr. Ada Lovelace, B"]]],
  ["annotation", annotation, [
    [`{"text":"Fasting","authorReference":{"reference":"Practitioner/1"},"time":"2019-03-15T14:05:00Z"}`,
      "Fasting (Dr. Ada Lovelace, 2019-03-15 14:05 UTC)"],
    [`{"text":"Fasting","authorString":"Ada"}`, "Fasting (Ada)"],
    [`{"time":"2019"}`, null]
  ]],
  ["annotations", annotations, [[`[{"text":"a"},{},{"text":"b"}]`, "a\nb"]]],
  ["attachment", attachment, [
    [`{"title":"Report","contentType":"text/plain","data":"SGVsbG8=","creation":"2019-03"}`,
      "Report, text/plain, 5 bytes, 2019-03"],
    [`{"contentType":"application/pdf","url":"Binary/1","size":1000}`, "application/pdf, 1000 bytes, Binary/1"]
  ]],
  ["timing", timing, [
    [`{"code":{"text":"BID"}}`, "BID"],
    [`{"repeat":{"frequency":3,"period":1,"periodUnit":"d","when":["ACM","XX"],"offset":30}}`,
      "3 times per day, 30 minutes before breakfast, XX"],
    [`{"repeat":{"frequency":1,"period":8,"periodUnit":"h","boundsDuration":{"value":10,"unit":"days"}}}`,
      "every 8 hours, for 10 days"],
    [`{"repeat":{"frequency":1,"period":1,"periodUnit":"d","timeOfDay":["08:00:00"],"dayOfWeek":["mon","wed"]}}`,
      "once per day, mon, wed, 08:00"],
    [`{"repeat":{"frequency":2,"frequencyMax":3,"period":1.5,"periodMax":2,"periodUnit":"wk","count":1}}`,
      "2 to 3 times every 1.5 to 2 weeks, once in all"],
    [`{"event":["2019-03-15","2019-03-16T08:00:00Z"]}`, "2019-03-15, 2019-03-16 08:00 UTC"],
    [`{"repeat":{"duration":30,"durationUnit":"min"}}`, "each lasting 30 minutes"],
    [`{"repeat":{"periodUnit":"constructor","period":2,"durationUnit":"toString"}}`, "every 2 constructor"],
    [`{"repeat":[]}`, null]
  ]],
  ["dosage", dosage, [
    [`{"text":"1 tab daily","doseAndRate":[{"doseQuantity":{"value":9}}],"patientInstruction":"with water"}`,
      "1 tab daily (dose 9); with water"],
    [
      `{"doseAndRate":[{"doseQuantity":{"value":2.50,"unit":"mg"},"rateRatio":{"numerator":{"value":1,"unit":"mL"},"denominator":{"value":1,"unit":"h"}}}],` +
      `"route":{"text":"oral"},"timing":{"code":{"text":"QD"}},"asNeededCodeableConcept":{"text":"pain"},` +
      `"maxDosePerPeriod":{"numerator":{"value":8,"unit":"tab"},"denominator":{"value":1,"unit":"d"}}}`,
      "2.50 mg at 1 mL per 1 h, oral, QD, as needed for pain, at most 8 tab per 1 d"
    ],
    [`{"asNeededBoolean":true,"sequence":1}`, "as needed"],
    [`{"text":"1 tablet by mouth","asNeededBoolean":true,"maxDosePerAdministration":{"value":2,"unit":"tab"}}`,
      "1 tablet by mouth; as needed; at most 2 tab at once"],
    [`{"text":"1 tablet if needed","asNeededCodeableConcept":{"text":"pain"}}`,
      "1 tablet if needed; as needed for pain"],
    [`{"text":"1 tablet PRN for Pain","asNeededCodeableConcept":{"text":"pain"}}`, "1 tablet PRN for Pain"],
    [`{"text":"1 tablet for pain","asNeededCodeableConcept":{"text":"pain"}}`, "1 tablet for pain; as needed for pain"],
    [`{"text":"10 units with a fresh needle","asNeededBoolean":true}`, "10 units with a fresh needle; as needed"],
    [`{"text":"1 tab PRN","asNeededBoolean":true}`, "1 tab PRN"],
    [`{"sequence":1}`, null]
  ]],
  ["dosages", dosages, [[`[{"sequence":2,"text":"then b"},{"sequence":1,"text":"a"}]`, "a\nthen b"]]],
  ["interpretation", interpretation, [
    [`[{"coding":[{"system":"${hl7}/v3-ObservationInterpretation","code":"H","display":"High"}]}]`, "High (H)"],
    [`[{"text":"LL"}]`, "Critically low (LL)"],
    [`{"coding":[{"code":"Q7","display":"Odd"}]}`, "Odd (Q7)"],
    [`[{"text":"as expected"}]`, "as expected"],
    [`[{"coding":[{"code":"<"}]}]`, "Below what can be measured (<)"],
    [`[{}]`, null]
  ]],
  ["element", element, [
    [`{"coding":[{"display":"Left"}]}`, "Left"],
    [`{"value":1.0,"unit":"g","system":"http://unitsofmeasure.org","code":"g"}`, "1.0 g"],
    [`{"start":"2019","end":"2020"}`, "2019 to 2020"],
    [`{"family":"Doe","given":["Jo"]}`, "Jo Doe"],
    [`{"outcomeCodeableConcept":{"text":"Healed"},"rank":1,"flag":false,"status":"in-progress"}`,
      "Outcome Healed, Rank 1, Flag No, Status In progress"],
    [`{"code":{"text":"Due"},"value":"2015-12-01T00:00:00-05:00"}`, "Code Due, Value 2015-12-01 00:00 -05:00"],
    [`{"url":"http://example.org/fhir/birth-place","valueAddress":{"city":"Boston"}}`, "Birth place: Boston"],
    [`{"status":"generated","div":"<div>narrative</div>"}`, "Status Generated"],
    [`[null,[],{},{"text":"a"},[{"text":"b"}]]`, "a; b"]
  ]]
]

describe.each(cases)("%s", (_, reading, rows) => {
  it.each(rows)("of %s is %s", (json, text) => {
    assert.strictEqual(reading(parse(json), titleOf), text)
  })

  it.effect.prop(
    "Any mutilated value gives a text or null",
    { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })) },
    ({ seed }) =>
      Effect.sync(() => {
        const random = seededRandom(seed)
        const read = reading(mutilate(JSON.parse(rows[Math.floor(random() * rows.length)]![0]), random), titleOf)
        assert.isTrue(read === null || (typeof read === "string" && read.trim() !== ""), JSON.stringify(read))
        if (read !== null) assert.notMatch(read, /\bundefined\b|\bNaN\b|\[object|\bInfinity\b|function /)
      }),
    { arbitrary: { runs: 30 } }
  )
})

describe("A choice", () => {
  it.each([
    [`{"valueQuantity":{"value":1.0}}`, "1.0"],
    [`{"valueBoolean":false}`, "No"],
    [`{"valueInteger":3}`, "3"],
    [`{"valueTime":"08:15:00"}`, "08:15:00"],
    [`{"valueQuantity":{},"valueString":"text"}`, "text"],
    [`{"valueconstructor":"x","valuetoString":"y","value":"z"}`, null]
  ])("of %s is %s", (json, text) => {
    assert.strictEqual(choice(parse(json) as object, "value", titleOf), text)
  })
})

describe("Inline files", () => {
  it("A file keeps its base64 as it was sent, and a file without a title gets the resource's title", () => {
    assert.deepStrictEqual(
      inlineFiles([{ contentType: "text/plain", data: "SGk=" }, { title: "Scan", data: "QQ==" }, { url: "Binary/1" }, {
        data: 5
      }], "Note"),
      [{ title: "Note", contentType: "text/plain", base64: "SGk=" }, {
        title: "Scan",
        contentType: null,
        base64: "QQ=="
      }]
    )
  })
})
