import type { Coverage, CoverageClass } from "fhir/r4.js"
import { codeOf, codings } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { period } from "./DateText.ts"
import { identifier } from "./Identifier.ts"
import { labelled } from "./Labels.ts"
import { each, joined, members, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reference, references } from "./Reference.ts"
import { codeWords } from "./Words.ts"

/** Codes of HL7's coverage-class that are not plain words. */
const classes: ReadonlyMap<string, string> = new Map([
  ["rxbin", "Pharmacy BIN"],
  ["rxgroup", "Pharmacy group"],
  ["rxid", "Pharmacy member id"],
  ["rxpcn", "Pharmacy PCN"]
])

const classWords = (type: unknown) =>
  codings(type).map(({ code }) => classes.get(text(code) ?? "")).find((words) => words !== undefined) ??
    conceptWords(type)

/** `Group: Western Airlines (WESTAIR)` */
const policyClass = (json: unknown) => {
  const { name, type, value } = members<CoverageClass>(json)
  const [called, number] = [text(name), text(value)]
  return joined([classWords(type), called && number ? `${called} (${number})` : called ?? number], ": ")
}

export const coverage = typedReader<Coverage>({
  place: () => ({ section: "coverage", group: "", groupTitle: null }),
  title: ({ payor, type }, { titleOf }) => conceptWords(type) ?? references(payor, titleOf),
  parts: (policy, { titleOf }) => ({
    code: codeOf(policy.type),
    status: codeWords(policy.status),
    dates: labelled({ Period: period(policy.period) }),
    details: labelled({
      Payor: references(policy.payor, titleOf),
      "Subscriber id": text(policy.subscriberId),
      Subscriber: reference(policy.subscriber, titleOf),
      "Policy holder": reference(policy.policyHolder, titleOf),
      Relationship: conceptWords(policy.relationship),
      Dependent: text(policy.dependent),
      Plan: each(policy.class, policyClass, "\n"),
      Network: text(policy.network),
      Identifier: each(policy.identifier, identifier)
    })
  })
})
