import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { postSync } from "../../support/Sync.ts"
import { createLink, step, verified, view } from "../link/Links.ts"
import { download, sign, upload } from "../release/Releases.ts"
import { readPatientRecord } from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

let provider: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
  provider = await newProvider(superuser)
})

describe("An act whose row in the account of disclosures cannot be written", () => {
  const refusing = async <A>(act: () => Promise<A>) => {
    await superuser.query(
      `create or replace function refuse_proof() returns trigger language plpgsql as
         $$ begin raise exception 'no proof' using errcode = 'XX000'; end $$;
       create trigger refuse before insert on proofs for each row when (new.veteran_id = '${veteran.id}')
         execute function refuse_proof()`
    )
    try {
      return await act()
    } finally {
      await superuser.query("drop trigger refuse on proofs")
    }
  }

  const acts: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
    "a sync": () => postSync(service, veteran, { Condition: "empty" }),
    "a grant": async () => ({
      status: (await giveGrant(service, veteran, provider)).error === "internal_error" ? 500 : 201
    }),
    "an upload": () => upload(service, veteran, "text"),
    "a release": () => sign(service, veteran)
  }

  test.each(Object.entries(acts))("fails and leaves nothing behind: %s", async (_, act) => {
    assert.strictEqual((await refusing(act)).status, 500)
    const { rows } = await superuser.query(
      `select from documents where veteran_id = $1 union all select from consent_grants where veteran_id = $1
       union all select from veterans where id = $1 and fhir_sync_manifest <> '{}'`,
      [veteran.id]
    )
    assert.deepStrictEqual(rows, [])
  })

  test("fails and shows nothing: a view, a download, the steps of a link", async () => {
    await giveGrant(service, veteran, provider)
    const { json: { id } } = await upload(service, veteran, "text")
    const link = await createLink(service, veteran)
    const session = await verified(service, link)
    const content = `/api/provider/patients/${veteran.id}/documents/${id}/content`
    const answers = await refusing(async () => [
      await readPatientRecord(service, provider, veteran),
      await download(service, provider, content),
      await step(service, "open", { token: link.token }),
      await view(service, session)
    ])
    assert.deepStrictEqual(answers.map(({ status }) => status), [500, 500, 500, 500])
    assert.strictEqual((await view(service, session)).status, 200)
  })
})
