import { assert, describe, test } from "vitest"
import { identityOf, isFound, nameOf, type Share, sharesOf } from "../../web/portal/patients/Share.ts"

type Listed = Parameters<typeof sharesOf>[0][number]

const idOf = (n: number) => `0198a000-0000-7000-8000-00000000000${n}`

/** An item of the service's list. */
const listed = (n: number, callSign: string, person: Listed["person"], grantedAt: string) =>
  ({
    veteranId: idOf(n),
    callSign,
    person,
    grant: { grantedAt: new Date(grantedAt), expiresAt: new Date("2026-12-01T10:00"), purpose: "treatment" },
    alertCount: 0,
    notLoaded: [],
    lastLookedAt: null,
    changedSince: false
  }) as unknown as Listed

/** What the list says of a patient. A narrow space before AM and PM becomes a plain one. */
const words = (share: Share) => [nameOf(share), ...identityOf(share)].join("; ").replaceAll("\u202f", " ")

describe("Patients of one call sign in the list", () => {
  const unnamed = "Eagle One; No name or birth date in this list. Open the record."

  test("Two patients of one call sign differ by name and birth date, or by since when they share", () => {
    const shares = sharesOf([
      listed(1, "Eagle One", { name: "Jane Dóe", birthDate: "1947-09-10" }, "2026-01-05T10:00"),
      listed(2, "Eagle One", { name: "June Roe", birthDate: "1962-03" }, "2026-01-05T10:00"),
      listed(3, "Eagle One", null, "2026-01-05T10:00"),
      listed(4, "Eagle One", null, "2026-01-02T10:00")
    ])
    assert.deepStrictEqual(shares.map(words), [
      `${unnamed}; Shared since Jan 5, 2026`,
      `${unnamed}; Shared since Jan 2, 2026`,
      "Jane Dóe; Born Sep 10, 1947; Call sign Eagle One",
      "June Roe; Born Mar 1962; Call sign Eagle One"
    ])
    const found = (search: string) => shares.filter((share) => isFound(share, search)).length
    const searches = ["doe jane", "1947-09-10", "sep 10", "roe 1962", "eagle", "eagle jane"]
    assert.deepStrictEqual(searches.map(found), [1, 1, 1, 1, 4, 1])
  })

  test("Patients of one call sign who began to share on one day differ by the time, or else by the record's number", () => {
    const jane = { name: "Jane Doe", birthDate: null }
    const times = ["01:00", "02:10", "02:20", "02:20", "03:00", "04:00", "05:00"]
    const shares = sharesOf(
      times.map((time, n) => listed(n, "Eagle Two", n > 4 ? jane : null, `2026-01-02T10:${time}`))
    )
    const marks = shares.map((share) => words(share).split("; ").at(-1))
    assert.sameMembers(marks, [
      "Shared since Jan 2, 2026, 10:01 AM",
      ...[1, 2, 3].map((n) => `Record number ends in ${idOf(n).slice(-8)}`),
      "Shared since Jan 2, 2026, 10:03 AM",
      "Shared since Jan 2, 2026, 10:04 AM",
      "Shared since Jan 2, 2026, 10:05 AM"
    ])
  })
})
