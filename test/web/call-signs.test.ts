import { assert, describe, test } from "vitest"
import { giveGrant, signInProvider } from "../support/Client.ts"
import { sync } from "../support/Sync.ts"
import { count, dayOf, inDays, openPatients, rows } from "./patients/Listing.ts"

const { openList, openVeteran, owner, service } = await openPatients()

describe("Patients of one call sign in the list", () => {
  test("Two patients of one call sign differ by name and birth date, or by since when they share", async () => {
    const provider = await signInProvider(service)
    const [jane, june, nameless, other] = await Promise.all(Array.from({ length: 4 }, () => openVeteran("Eagle One")))
    const patient = (members: object) => ({
      Patient: [JSON.stringify({ resourceType: "Patient", id: "p", ...members })]
    })
    await sync(
      service,
      jane!,
      { Patient: "complete" },
      patient({
        name: [{ use: "usual", text: "JD" }, { use: "official", given: ["Jane"], family: "Dóe" }],
        birthDate: "1947-09-10"
      })
    )
    await sync(service, june!, { Patient: "complete" }, patient({ name: [{ text: "June Roe" }], birthDate: "1962-03" }))
    for (const veteran of [jane, june, nameless, other]) await giveGrant(service, veteran!, provider)
    await owner.query("update consent_grants set granted_at = granted_at - interval '3 days' where veteran_id = $1", [
      other!.id
    ])
    const { page } = await openList(provider)
    await count(page, "4 patients")
    const since = (days: number) => `Shared since ${dayOf(inDays(days))}`
    const names = (await rows(page)).map(([name]) => name)
    assert.deepStrictEqual(
      names.slice(0, 2).sort(),
      [
        `Eagle One No name or birth date in this list. Open the record. ${since(-3)}`,
        `Eagle One No name or birth date in this list. Open the record. ${since(0)}`
      ].sort()
    )
    assert.deepStrictEqual(names.slice(2), [
      "Jane Dóe Born Sep 10, 1947 Call sign Eagle One",
      "June Roe Born Mar 1962 Call sign Eagle One"
    ])
    const search = page.getByLabel("Search by call sign, name or birth date")
    for (
      const [words, found] of [["doe jane", 1], ["1947-09-10", 1], ["sep 10", 1], ["roe 1962", 1], ["eagle", 4], [
        "eagle jane",
        1
      ]] as const
    ) {
      await search.fill(words)
      await count(page, found === 4 ? "4 patients" : `${found} of 4 patients`)
    }
  })

  test("Patients of one call sign who began to share on one day differ by the time, or else by the record's number", async () => {
    const provider = await signInProvider(service)
    const veterans = await Promise.all(Array.from({ length: 7 }, () => openVeteran("Eagle Two")))
    const person = { Patient: [JSON.stringify({ resourceType: "Patient", id: "p", name: [{ text: "Jane Doe" }] })] }
    for (const [index, veteran] of veterans.entries()) {
      if (index > 4) await sync(service, veteran, { Patient: "complete" }, person)
      await giveGrant(service, veteran, provider)
    }
    const times = ["01:00", "02:10", "02:20", "02:20", "03:00", "04:00", "05:00"].map((at) =>
      new Date(`2026-01-02T10:${at}`)
    )
    await owner.query(
      `update consent_grants set granted_at = v.at
       from unnest($1::uuid[], $2::timestamptz[]) as v (veteran_id, at) where v.veteran_id = consent_grants.veteran_id`,
      [veterans.map(({ id }) => id), times]
    )
    const { page } = await openList(provider)
    await count(page, "7 patients")
    const texts = await page.locator("tbody tr").allInnerTexts()
    assert.strictEqual(new Set(texts).size, texts.length)
    const marks = (await rows(page)).map(([name]) => /(?:since|number) .*$/.exec(name!)![0])
    const format = new Intl.DateTimeFormat("en-US", { timeStyle: "short" })
    const time = (index: number) => `since Jan 2, 2026, ${format.format(times[index]).replace(/\s/, " ")}`
    const number = (index: number) => `number ends in ${veterans[index]!.id.slice(-8)}`
    assert.sameMembers(marks, [time(0), number(1), number(2), number(3), time(4), time(5), time(6)])
  })
})
