import { assert, it } from "vitest"
import { ownItems } from "../../../web/shared/record/items/OwnItems.ts"

const [before, since, after] = ["2026-11-01T08:00:00.000Z", "2026-11-02T08:00:00.000Z", "2026-11-03T08:00:00.000Z"]

const hows = (since: string | null) => {
  const entry = { category: "symptom", text: "Dizzy", occurredOn: null } as const
  const document = { kind: "upload", title: "Letter", contentType: "text/plain", byteSize: 1 } as const
  const ids = ["01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002",
    "01900000-0000-7000-8000-000000000003"] as const
  return ownItems({
    since,
    selfReported: [
      { ...entry, id: ids[0], createdAt: before, updatedAt: before },
      { ...entry, id: ids[1], createdAt: before, updatedAt: after },
      { ...entry, id: ids[2], createdAt: after, updatedAt: after }
    ],
    documents: [
      { ...document, id: ids[0], createdAt: before },
      { ...document, id: ids[1], createdAt: after }
    ],
    notes: [{ id: ids[0], providerName: "Dr. Ada Gray", text: "Seen", createdAt: after }]
  }, (id) => id).map(({ how }) => how)
}

it("An entry or a document of the patient is new or changed since the look before, and a provider's note is not", () => {
  assert.deepStrictEqual(hows(since), [null, "changed", "new", null, "new", null])
  assert.deepStrictEqual(hows(null), [null, null, null, null, null, null])
})
