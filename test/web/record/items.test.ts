import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { summaryOf } from "../../../src/clinical/Reading.ts"
import { recordBundle } from "../../../web/portal/record/RecordBundle.ts"
import { filtered, filterWords, type ItemFilter } from "../../../web/shared/record/items/ItemFilter.ts"
import { firstView } from "../../../web/shared/record/items/ItemsView.ts"
import type { Kind } from "../../../web/shared/record/items/Kinds.ts"
import { ownItems } from "../../../web/shared/record/items/OwnItems.ts"
import { newestFirst, sorted, sortedNext, sortingWords } from "../../../web/shared/record/items/Sorting.ts"
import { lineOf } from "../../../web/shared/record/LineOf.ts"
import type { Line } from "../../../web/shared/record/Messages.ts"

const lines = (...resources: ReadonlyArray<{ readonly resourceType: string } & Record<string, unknown>>) =>
  resources.map((resource, key) =>
    lineOf(
      { key, summary: summaryOf(resource.resourceType, `${key}`, JSON.stringify(resource), () => undefined) },
      null,
      null
    )
  )

const condition = (text: string, status: string | null, more: object = {}) => ({
  resourceType: "Condition",
  code: { text },
  ...(status === null ? {} : { clinicalStatus: { coding: [{ code: status }] } }),
  ...more
})

const names = (all: ReadonlyArray<Line>, part: Partial<ItemFilter>) =>
  filtered(all, { ...firstView, ...part }).shown.map(({ title }) => title)

const stays = lines(
  { resourceType: "Encounter", type: [{ text: "Stay" }], period: { start: "2020-01-30", end: "2020-02-03" } },
  { resourceType: "Encounter", type: [{ text: "Open stay" }], period: { start: "2020-02-10" } },
  { resourceType: "Procedure", code: { text: "In some day of March" }, performedDateTime: "2020-03" },
  { resourceType: "Procedure", code: { text: "Late that day" }, performedDateTime: "2020-02-05T23:30:00-08:00" },
  { resourceType: "Procedure", code: { text: "Undated" } },
  { resourceType: "Organization", name: "Clinic" }
)

describe("The filter of the items", () => {
  it("A date range keeps what has a day in it, and counts what has no date", () => {
    assert.deepStrictEqual(names(stays, { from: "2020-02-03", to: "2020-02-05" }), ["Stay", "Late that day"])
    assert.deepStrictEqual(names(stays, { from: "2020-03-31" }), ["Open stay", "In some day of March"])
    assert.deepStrictEqual(names(stays, { to: "2020-01-31" }), ["Stay"])
    assert.strictEqual(filtered(stays, { ...firstView, from: "2020-01-01" }).undated, 2)
    assert.strictEqual(filtered(stays, { ...firstView, from: "2020-01-01", query: "clinic" }).undated, 1)
    assert.strictEqual(filtered(stays, firstView).undated, 0)
  })

  it("The active items are those that nobody recorded as past, and only kinds that can be active have them", () => {
    const all = lines(
      condition("Hypertension", "active"),
      condition("Broken wrist", "resolved"),
      condition("Status not recorded", null),
      condition("Gout", "active", { verificationStatus: { coding: [{ code: "entered-in-error" }] } }),
      { resourceType: "MedicationRequest", status: "active", medicationCodeableConcept: { text: "Inhaler" } },
      { resourceType: "MedicationRequest", status: "stopped", medicationCodeableConcept: { text: "Aspirin" } },
      { resourceType: "Procedure", status: "completed", code: { text: "Dressing" } }
    )
    const active = ["Hypertension", "Status not recorded", "Inhaler"]
    assert.deepStrictEqual(names(all, { isActiveOnly: true }), active)
    assert.deepStrictEqual(names(all, { isActiveOnly: true, kind: "problems" }), active.slice(0, 2))
    assert.deepStrictEqual(names(all, { isActiveOnly: true, kind: "procedures" }), ["Dressing"])
  })

  it("The search looks for each word in names and values, without case and accents", () => {
    const all = lines({ resourceType: "Observation", code: { text: "Größe" }, valueString: "CAFÉ 12" })
    assert.deepStrictEqual(names(all, { query: " cafe  gro " }), ["Größe"])
    assert.deepStrictEqual(names(all, { query: "tea" }), [])
  })

  it("New and changed items are those of which the service says so", () => {
    const [one, two, three] = lines(condition("A", null), condition("B", null), condition("C", null))
    const all = [{ ...one!, how: "new" as const }, { ...two!, how: null }, { ...three!, how: "changed" as const }]
    assert.deepStrictEqual(names(all, { isNewOnly: true }), ["A", "C"])
  })

  it("The filter says in words what it keeps", () => {
    assert.deepStrictEqual(filterWords(firstView, null), [])
    assert.deepStrictEqual(
      filterWords({
        kind: "medications",
        query: " creat ",
        from: "2020-01-05",
        to: "2021-03-04",
        isActiveOnly: true,
        isNewOnly: true
      }, "2026-11-03T12:00:00.000Z"),
      ["Medications", "search “creat”", "from Jan 5, 2020", "to Mar 4, 2021", "active only",
        "new or changed since Nov 3, 2026"]
    )
    assert.deepStrictEqual(filterWords({ ...firstView, kind: "laboratory", isActiveOnly: true }, null), ["Lab results"])
    assert.deepStrictEqual(filterWords({ ...firstView, isActiveOnly: true }, null), [
      "active allergies, problems and medications only"
    ])
  })

  const Days = Schema.Array(Schema.Struct({
    date: Schema.Literals(["", "2019", "2020-02", "2020-02-03", "2021-01-01"]),
    kind: Schema.Literals(["Condition", "Procedure", "Patient"])
  }))

  it.prop(
    "Every item is before a day, from it on, or without a date, and the filter keeps the order",
    { days: Days },
    ({ days }) => {
      const all = lines(...days.map(({ date, kind }) => ({
        resourceType: kind,
        ...(kind === "Condition" ? { onsetDateTime: date } : { performedDateTime: date })
      })))
      const before = filtered(all, { ...firstView, to: "2020-02-02" })
      const since = filtered(all, { ...firstView, from: "2020-02-03" })
      assert.strictEqual(new Set([...before.shown, ...since.shown]).size + since.undated, all.length)
      assert.strictEqual(before.undated, since.undated)
      for (const { shown } of [before, since]) {
        assert.deepStrictEqual(shown, all.filter((line) => shown.includes(line)))
      }
    }
  )

  it("20,000 items are filtered and sorted within a few frames", () => {
    const [line] = lines(condition("", "active", { onsetDateTime: "2020-01-01" }))
    const all = Array.from({ length: 20_000 }, (_, key): Line => {
      const title = `Finding ${(key * 7919) % 20_000}`
      return { ...line!, key, title, folded: title.toLowerCase() }
    })
    const start = performance.now()
    const { shown } = filtered(all, { ...firstView, query: "finding 1999", from: "2019-01-01", isActiveOnly: true })
    const byName = sorted(all, { by: "name", isDescending: false })
    // About 10 ms on a quiet machine; the limit is for a busy one.
    assert.isBelow(performance.now() - start, 500)
    assert.lengthOf(shown, 12)
    assert.strictEqual(byName[0]!.title, "Finding 0")
  })
})

describe("The order of the items", () => {
  const all = lines(
    { resourceType: "Procedure", code: { text: "Émile" }, performedDateTime: "2021-01-01" },
    { resourceType: "Procedure", code: { text: "zebra" }, performedDateTime: "2020-01-01" },
    condition("Apple", "active", { onsetDateTime: "2019" }),
    condition("Undated", "active")
  )
  const titles = (sorting: typeof newestFirst) => sorted(all, sorting).map(({ title }) => title)

  it("Items are sorted by date, name or kind, and items without a date come last in both directions", () => {
    assert.deepStrictEqual(titles(newestFirst), ["Émile", "zebra", "Apple", "Undated"])
    assert.deepStrictEqual(titles({ by: "date", isDescending: false }), ["Apple", "zebra", "Émile", "Undated"])
    assert.deepStrictEqual(titles({ by: "name", isDescending: false }), ["Apple", "Émile", "Undated", "zebra"])
    assert.deepStrictEqual(titles({ by: "name", isDescending: true }), ["zebra", "Undated", "Émile", "Apple"])
    assert.deepStrictEqual(titles({ by: "kind", isDescending: false }), ["Apple", "Undated", "Émile", "zebra"])
  })

  it("A second press on a column turns its order, and a date begins with the newest", () => {
    const byName = sortedNext(newestFirst, "name")
    assert.deepStrictEqual(byName, { by: "name", isDescending: false })
    assert.deepStrictEqual(sortedNext(byName, "name"), { by: "name", isDescending: true })
    assert.deepStrictEqual(sortedNext(byName, "date"), newestFirst)
    assert.deepStrictEqual([newestFirst, byName, sortedNext(byName, "name")].map(sortingWords), [
      null,
      "by name, A to Z",
      "by name, Z to A"
    ])
  })

  it.prop(
    "Sorting loses no item, and equal items stay as they were",
    { titles: Schema.Array(Schema.Literals(["a", "B", "ä", "c"])) },
    ({ titles }) => {
      const all = lines(...titles.map((text) => condition(text, "active")))
      const byName = sorted(all, { by: "name", isDescending: false })
      assert.sameMembers([...byName], all)
      for (const [index, line] of byName.entries()) {
        const next = byName[index + 1]
        if (next !== undefined && next.folded === line.folded) assert.isBelow(line.key, next.key)
      }
    }
  )
})

describe("Lines besides the record's items", () => {
  const at = "2026-11-20T18:00:00.000Z"
  const ids = ["e", "d", "n"].map((_, n) => `019d0000-0000-7000-8000-00000000000${n}`)
  const sent = {
    selfReported: [{
      id: ids[0]!,
      category: "allergy" as const,
      text: "Penicillin: my throat closed up",
      occurredOn: "2009-05-01",
      createdAt: at
    }],
    documents: [{
      id: ids[1]!,
      kind: "upload" as const,
      title: "discharge.pdf",
      contentType: "application/pdf",
      byteSize: 1,
      createdAt: at
    }],
    notes: [{ id: ids[2]!, providerName: "Dr. Ada Gray", text: "Warfarin was stopped", createdAt: at }]
  }
  const own = ownItems(sent, (id) => `#${id}`)

  it("An entry or a document of the patient is new or changed since the look before, and a provider's note is not", () => {
    const [before, since, after] = ["2026-11-01T08:00:00.000Z", "2026-11-02T08:00:00.000Z", "2026-11-03T08:00:00.000Z"]
    const [entry, document, note] = [sent.selfReported[0]!, sent.documents[0]!, sent.notes[0]!]
    const hows = (since: string | null) =>
      ownItems({
        since,
        selfReported: [
          { ...entry, createdAt: before, updatedAt: before },
          { ...entry, createdAt: before, updatedAt: after },
          { ...entry, createdAt: after, updatedAt: after }
        ],
        documents: [{ ...document, createdAt: before }, { ...document, createdAt: after }],
        notes: [{ ...note, createdAt: after }]
      }, (id) => id).map(({ how }) => how)
    assert.deepStrictEqual(hows(since), [null, "changed", "new", null, "new", null])
    assert.deepStrictEqual(hows(null), [null, null, null, null, null, null])
  })

  it("The search finds what the patient wrote, documents and notes", () => {
    const found = (query: string) => filtered(own, { ...firstView, query }).shown.map(({ kind }): Kind => kind)
    assert.deepStrictEqual(found("penicillin allergy"), ["from-the-patient"])
    assert.deepStrictEqual(found("DISCHARGE"), ["shared-documents"])
    assert.deepStrictEqual(found("warfarin gray"), ["notes"])
  })

  it("The patient's own allergies and medications are among the active ones, whose card has them", () => {
    const entries = (["allergy", "medication", "symptom"] as const).map((category, n) => ({
      ...sent.selfReported[0]!,
      id: `${ids[0]}${n}`,
      category
    }))
    const all = ownItems({ ...sent, selfReported: entries }, (id) => id)
    const { shown } = filtered(all, { ...firstView, isActiveOnly: true })
    assert.deepStrictEqual(shown.map(({ value }) => value), ["Allergy", "Medication"])
  })

  it("A line keeps its key when another one comes before it", () => {
    const note = { ...sent.notes[0]!, id: "019d0000-0000-7000-8000-00000000000f" }
    const later = ownItems({ ...sent, notes: [note, ...sent.notes] }, (id) => `#${id}`)
    const keys = new Map(later.map(({ folded, key }) => [folded, key]))
    for (const { folded, key } of own.slice(0, 2)) assert.strictEqual(keys.get(folded), key)
    assert.strictEqual(later.at(-1)!.key, own.at(-1)!.key)
    assert.strictEqual(new Set(later.map(({ key }) => key)).size, 4)
  })

  it("Their lines have the written day, their sort and no key of an item", () => {
    assert.deepStrictEqual(own.map(({ days, key, status, value }) => [key < 0, days?.[0], value, status]), [
      [true, "2009-05-01", "Allergy", "Not checked by a clinician"],
      [true, "2026-11-20", "From the patient", null],
      [true, "2026-11-20", "Dr. Ada Gray", null]
    ])
  })
})

describe("The FHIR file", () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it("The file is a collection of the exact texts, after what is not complete", async () => {
    const at = "2026-11-23T10:00:00.000Z"
    const one = `{"resourceType":"Observation","id":"a","valueQuantity":{"value":1.00}}`
    const head = `{"resourceType":"Bundle","type":"collection","timestamp":"${at}"`
    const [first, second] = [
      { resourceType: "Observation", fhirId: "a", bytes: bytes(one) },
      { resourceType: "Patient", fhirId: "p", bytes: bytes(`{"resourceType":"Patient"}`) }
    ]
    const frame = { at, base: "https://api.example/fhir", warnings: [] }
    const observation = `{"fullUrl":"https://api.example/fhir/Observation/a","resource":${one}}`
    assert.strictEqual(await recordBundle(frame, []).text(), `${head}}`)
    assert.strictEqual(
      await recordBundle(frame, [first!, second!]).text(),
      `${head},"entry":[${observation},` +
        `{"fullUrl":"https://api.example/fhir/Patient/p","resource":{"resourceType":"Patient"}}]}`
    )
    const outcome = `{"resourceType":"OperationOutcome","issue":[{"severity":"warning","code":"incomplete",` +
      `"diagnostics":"Allergies were not loaded."}]}`
    assert.strictEqual(
      await recordBundle({ ...frame, warnings: ["Allergies were not loaded."] }, [first!]).text(),
      `${head},"entry":[{"resource":${outcome}},${observation}]}`
    )
  })
})
