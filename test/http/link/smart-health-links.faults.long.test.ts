import { join } from "node:path"
import { assert, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { type Act, killAtEachStep, killing, whole } from "../../support/KilledProcess.ts"
import { sign } from "../release/Releases.ts"
import { askManifest, createAppLink } from "./AppLinks.ts"
import { challenge, revokeLink, wrong } from "./Links.ts"
import { fileNameOf, hasFile } from "./StoredBundles.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

/** It makes what the killed processes work on, and goes on while they are killed. */
const helper = await openService(database)

const killAt = killing(database, { UPLOAD_DIR: join(helper.directory, ".data/uploads") })

const rows = async (query: string, ...values: ReadonlyArray<unknown>) =>
  (await superuser.query(query, [...values])).rows

const create: Act = {
  words: "insert into stored_files",
  prepare: async () => {
    const veteran = await signInVeteran(helper)
    const documentId = (await sign(helper, veteran)).json.document.id
    const body = { documentId, recipientName: "Jane", recipientEmail: "jane@clinic.example", smartHealthLink: true }
    return {
      send: (service) => call(service, "POST", "/api/veteran/me/secure-links", { headers: veteran.headers, body }),
      happened: async () => {
        const [link] = await rows("select id, shl_storage_key from secure_links where document_id = $1", documentId)
        const name = link?.shl_storage_key as string | undefined
        return whole([
          link !== undefined,
          name !== undefined && (await rows("select from stored_files where storage_key = $1", name)).length === 1,
          name !== undefined && await hasFile(helper, name),
          (await rows("select from proofs where veteran_id = $1 and kind = 'link_created'", veteran.id)).length === 1
        ])
      }
    }
  }
}

/** An end of a link, with the file that must go with it. */
const ending = async (veteran: SignedIn, { id }: { readonly id: string }) => {
  const name = await fileNameOf(superuser, id)
  return async () => {
    const [link] = await rows("select * from secure_links where id = $1", id)
    const isWanted =
      (await rows("select from stored_files where storage_key = $1 and ended_at is null", name)).length === 1
    const ended = whole([link.status === "disabled", link.shl_file_key === null, !isWanted])
    if (!ended) assert.isTrue(await hasFile(helper, name))
    else {
      // Another process removes what the killed one left, each minute and with each revoke.
      await revokeLink(helper, veteran, { id })
      assert.isFalse(await hasFile(helper, name))
    }
    return ended
  }
}

const revoke: Act = {
  words: "update secure_links l set status",
  prepare: async () => {
    const veteran = await signInVeteran(helper)
    const link = await createAppLink(helper, veteran)
    return {
      send: (service) => revokeLink(service, veteran, link),
      happened: await ending(veteran, link)
    }
  }
}

const lastWrongCode: Act = {
  words: "app.try_passcode",
  prepare: async () => {
    const veteran = await signInVeteran(helper)
    const link = await createAppLink(helper, veteran)
    const { code } = await challenge(helper, link)
    await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [link.id])
    const happened = await ending(veteran, link)
    return {
      // The refusal is the answer of the act.
      send: async (service) => {
        const { status } = await askManifest(service, link, { passcode: wrong({ code }).code })
        return { status: status === 401 ? 200 : status }
      },
      happened
    }
  }
}

test.each([["a link is made", create], ["a link is revoked", revoke], ["the last wrong code is tried", lastWrongCode]])(
  "if the process is killed at any step while %s, all of it happened or nothing",
  { timeout: 900_000 },
  (_, act) => killAtEachStep(killAt, act)
)
