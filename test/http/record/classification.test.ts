import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { giveGrant, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { sync } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"
import { coded, condition } from "./ReadBounds.ts"

// A specially protected item is hidden from a provider whose grant does not name its category. Which codes, spellings
// and words are protected is tested by CodeSystems, SensitiveCodes and SensitiveWords in test/services/record.

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

test("An item is withheld without its category, whether its code or only its words show what it is", async () => {
  const data = Buffer.from("<p>is an alco<b>holic</b></p>").toString("base64")
  const veteran = await signInVeteran(service)
  await sync(service, veteran, { Condition: "complete" }, {
    Condition: [
      condition("code", coded("86406008", "HTTPS://SNOMED.INFO/SCT|2024")),
      condition("diet", { code: { text: "Alcohol-free diet" } }),
      condition("words", { content: [{ attachment: { contentType: "text/html", data } }] })
    ]
  })
  for (
    const [sensitiveCategories, shown] of [
      [[], ["diet"]],
      [["drug_abuse", "alcohol_abuse", "sickle_cell"], ["diet", "words"]],
      [["hiv"], ["code", "diet"]]
    ]
  ) {
    const provider = await newProvider(superuser)
    await giveGrant(service, veteran, provider, { sensitiveCategories })
    const { sections: [{ items }] } = (await readPatientRecord(service, provider, veteran)).json
    assert.deepStrictEqual(items.map(({ fhirId }: any) => fhirId), shown)
  }
})
