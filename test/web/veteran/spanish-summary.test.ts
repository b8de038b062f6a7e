import { assert, describe, test } from "vitest"
import { DisclosureKind } from "../../../src/domain/Disclosure.ts"
import { inWords } from "../../../src/domain/ResourceTypeWords.ts"
import { type Names, summary } from "../../../src/services/ledger/DisclosureWords.ts"
import { ProofEvent } from "../../../src/services/ledger/ProofEvent.ts"
import { translated } from "../../../web/veteran/looks/Translated.ts"
import { spanishSummaries } from "../../../web/veteran/looks/words/SpanishSummaries.ts"
import { inSpanish } from "../InSpanish.ts"

const id = (number: number) => `01890000-0000-7000-8000-${`${number}`.padStart(12, "0")}`

const [provider, app, document, link] = [id(1), id(2), id(3), id(4)]

const known: Names = {
  callSign: "Eagle One",
  providers: new Map([[provider, "Dr. Ada Gray, Gray Clinic"]]),
  apps: new Map([[app, "Healthy"]]),
  recipients: new Map([[link, "Morgan Lee"]]),
  titles: new Map([[document, "Letter.pdf"]])
}

const unknown: Names = {
  callSign: "Eagle One",
  providers: new Map(),
  apps: new Map(),
  recipients: new Map(),
  titles: new Map()
}

const actors = [
  { kind: "veteran", id: id(9) },
  { kind: "provider", id: provider },
  { kind: "recipient" },
  { kind: "app", id: app },
  { kind: "service" }
] as const

const counts = [undefined, {}, { Condition: 3 }, { Condition: 0, Observation: 2, MedicationRequest: 1 }, {
  Condition: 0
}]

const besides = [{}, { selfReportedEntries: 2 }, { notes: 1, documents: 4 }, {
  selfReportedEntries: 1,
  notes: 1,
  documents: 1
}]

const hows = [undefined, "va", "passkey", "operator", "session"] as const

/** Every event of a kind that the service can write about. */
const events = function*() {
  for (const actor of actors) {
    for (const resourceTypes of counts) {
      for (const also of besides) {
        for (const how of hows) {
          yield ProofEvent.make({
            actor,
            providerId: provider,
            clientId: app,
            documentId: document,
            linkId: link,
            ...also,
            ...(resourceTypes === undefined ? {} : { resourceTypes }),
            ...(how === undefined ? {} : { how })
          } as ProofEvent)
        }
      }
    }
  }
  const [actor] = actors
  yield ProofEvent.make({ actor, linkId: link, documentId: document, shl: true, via: "app" } as ProofEvent)
  yield ProofEvent.make({ actor, grantId: id(5) } as ProofEvent)
  yield ProofEvent.make({ actor } as ProofEvent)
}

const sentenceOf = (kind: DisclosureKind, event: ProofEvent, names: Names) => {
  const { resourceTypes } = event
  return translated(
    { kind, summary: summary(kind, event, names), ...(resourceTypes === undefined ? {} : { resourceTypes }) },
    spanishSummaries
  )
}

/** Words of the service's sentences that no Spanish sentence has. */
const leftOvers = /\b(the|your|you|was|were|record|looked|read|of|to|and|with|an|link|code|document|provider)\b/i

describe("The Spanish sentence about an event", () => {
  test("is there for every sentence that the service writes, with the same names and no English word", () =>
    inSpanish(() => {
      const done = new Set<string>()
      for (const kind of DisclosureKind.literals) {
        for (const names of [known, unknown]) {
          for (const event of events()) {
            const original = summary(kind, event, names)
            if (done.has(original)) continue
            done.add(original)
            const own = sentenceOf(kind, event, names)
            assert.isDefined(own, original)
            for (const name of ["Gray Clinic", "Healthy", "Morgan Lee", "Letter.pdf"]) {
              assert.strictEqual(own.includes(name), original.includes(name), `${original} ${own}`)
            }
            assert.notMatch(own.replaceAll(/Dr\. Ada Gray, Gray Clinic/g, ""), leftOvers, original)
            assert.match(own, /^[A-Z].*\.$/)
          }
        }
      }
    }))

  test("names the kinds of data from the line's own members", () =>
    inSpanish(() => {
      const actor = { kind: "provider", id: provider } as const
      const seen = ProofEvent.make({
        actor,
        resourceTypes: { Condition: 2, MedicationRequest: 1 },
        selfReportedEntries: 1,
        documents: 2
      } as ProofEvent)
      assert.strictEqual(
        sentenceOf("record_viewed", seen, known),
        "Dr. Ada Gray, Gray Clinic, miró medicinas y problemas de salud, además de sus propias palabras y la lista de sus documentos."
      )
      assert.strictEqual(
        sentenceOf("link_viewed", ProofEvent.make({ actor: { kind: "recipient" }, linkId: link } as any), known),
        "Morgan Lee vio un documento que ya no existe con enlace y código."
      )
    }))

  test("is not made of a sentence that is not understood whole, and no name changes a sentence", () =>
    inSpanish(() => {
      const line = { kind: "record_viewed" as const, resourceTypes: { Condition: 2 } }
      for (
        const text of [
          "Dr. Ada Gray, looked at Conditions and something new.",
          "Dr. Ada Gray, looked at Allergies.",
          "Dr. Ada Gray, peeked at Conditions.",
          " looked at Conditions.",
          ""
        ]
      ) assert.isUndefined(translated({ ...line, summary: text }, spanishSummaries), text)
      const named = (name: string) =>
        translated({ ...line, summary: `${name}, looked at ${inWords(["Condition"])}.` }, spanishSummaries)
      assert.strictEqual(named("{seen} {provider} $&"), "{seen} {provider} $&, miró problemas de salud.")
      assert.strictEqual(named("constructor"), "constructor, miró problemas de salud.")
    }))
})
