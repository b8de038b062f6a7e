import { readFileSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { generate } from "selfsigned"
import { assert, test } from "vitest"
import { generateKey } from "../src/services/ledger/SignedNote.ts"
import { createLink, revokeLink, step } from "./http/link/Links.ts"
import { download, signed, upload } from "./http/release/Releases.ts"
import { openFolder, used } from "./support/App.ts"
import { asAdmin, bearer, call, giveGrant, type SignedIn, signInProvider } from "./support/Client.ts"
import { needsServer, noServer, openCluster } from "./support/DebianPostgres.ts"
import { openMailbox } from "./support/Mailbox.ts"
import { type Cluster, commandsOf, operator, passwords, shell } from "./support/OperatorCommands.ts"
import { production } from "./support/Production.ts"
import { adminSecret, type Service, startService } from "./support/Service.ts"

const root = await openFolder()

const certificate = await generate([{ name: "commonName", value: "Clinic" }], {
  keyType: "ec",
  notAfterDate: new Date(Date.now() + 365 * 86_400_000)
})

const file = async (name: string, text: string) => {
  await writeFile(join(root, name), text)
  return join(root, name)
}

/** The service's variables, before and after the restore. */
const configuration = async () => {
  const mailbox = await used(openMailbox({ secure: "smtps" }))
  return {
    ...production,
    INTERNAL_ADMIN_SECRET: adminSecret,
    PROOF_SIGNING_KEY: generateKey("records.example.org/disclosures")!,
    SMTP_URL: mailbox.url,
    SMTP_CA_CERT: await file("mail.pem", mailbox.authority),
    ROI_SIGNING_CERTIFICATE: await file("signing.crt", certificate.cert),
    ROI_SIGNING_KEY: await file("signing.key", certificate.private),
    TRUSTED_PROXY_HOPS: "1",
    MAX_CONNECTIONS: "200",
    MAX_CONNECTIONS_PER_ADDRESS: "50"
  }
}

const start = (cluster: Cluster, environment: Record<string, string>) =>
  startService({
    url: () => operator(cluster).DATABASE_APP_URL,
    caCertificate: readFileSync(cluster.authority, "utf8")
  }, environment)

const vaPatientId = "icn-of-the-rehearsal"

const signIn = async (service: Service): Promise<SignedIn> => {
  const { json } = await call(service, "POST", "/api/auth/veteran/session", {
    headers: { "x-veteran-session-exchange": production.VETERAN_SESSION_EXCHANGE_SECRET },
    body: { vaPatientId }
  })
  return { id: json.veteran.id, token: json.accessToken, headers: bearer(json.accessToken) }
}

const checkpoint = async (service: Service) => (await fetch(`${service.url}/api/proofs/checkpoint`)).text()

test.skipIf(noServer)(
  `the page's own commands deploy, back up and restore all data, then end revoked access again${needsServer}`,
  async () => {
    const [roles, migrate, look] = commandsOf("First deployment")
    const [backUp, restore, distrust] = commandsOf("Backup and restore")
    const shared = { ...await configuration(), BACKUP: root, HOME: root }
    const first = await used(openCluster(root, "first"))
    const before = { ...shared, ...operator(first), UPLOAD_DIR: join(root, "uploads") }
    await mkdir(before.UPLOAD_DIR, { mode: 0o700 })
    await shell(roles!, before)
    await shell(migrate!, before)
    assert.match(await shell(look!, before), /^sound: \d+ checks found nothing\n$/)

    const service = await start(first, before)
    await call(service, "POST", "/api/admin/veterans", {
      headers: asAdmin,
      body: { vaPatientId, callSign: "Eagle", email: "eagle@example.org" }
    })
    const veteran = await signIn(service)
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    const letter = (await upload(service, veteran, "a letter")).json.id
    const { document } = await signed(service, veteran, { incompleteRecordConfirmed: true })
    const contentOf = (id: string) => `/api/veteran/me/documents/${id}/content`
    const release = await download(service, veteran, contentOf(document.id))
    const kept = await createLink(service, veteran, { documentId: document.id })
    const revoked = await createLink(service, veteran, { documentId: document.id })
    await call(service, "POST", "/api/internal/proofs/drain", {
      headers: { "x-proof-drainer-secret": production.PROOF_DRAINER_SECRET }
    })
    const tree = await checkpoint(service)
    // A veteran's session is live when the backup is made, and so is an operator's code.
    const paired = `
      insert into veteran_sessions (veteran_id, id, key_thumbprint, how, network, expires_at)
        values ('${veteran.id}', gen_random_uuid(), sha256('key'), 'va', '203.0.113.0/24', now() + interval '1 hour');
      update veterans set pairing_code_hash = sha256('code'), pairing_code_ends_at = now() + interval '1 hour'`
    await shell("psql \"$OWNER_URL\" -v ON_ERROR_STOP=1 -c \"$PAIRED\"", { ...before, PAIRED: paired })

    await shell(backUp!, before)
    assert.strictEqual((await revokeLink(service, veteran, revoked)).status, 200)
    const lost = (await upload(service, veteran, "after the backup")).json.id
    await service.stop()

    const second = await used(openCluster(root, "second"))
    const after = { ...shared, ...operator(second), UPLOAD_DIR: join(root, "restored") }
    await mkdir(after.UPLOAD_DIR, { mode: 0o700 })
    await shell(roles!, after)
    assert.match(await shell(restore!, after), /\nsound: \d+ checks found nothing\n$/)

    const restored = await start(second, after)
    // This comes before any new act: a process drains when it starts, and then every 60 seconds.
    assert.strictEqual(await checkpoint(restored), tree)
    const again = await signIn(restored)
    assert.strictEqual((await download(restored, again, contentOf(letter))).bytes.toString(), "a letter")
    assert.isTrue((await download(restored, again, contentOf(document.id))).bytes.equals(release.bytes))
    assert.strictEqual((await download(restored, again, contentOf(lost))).status, 404)
    const disclosures = await call(restored, "GET", "/api/veteran/me/disclosures", again)
    const leaf = disclosures.json.items.find(({ kind }: { readonly kind: string }) => kind === "roi_signed")
    const proof = await call(restored, "GET", `/api/veteran/me/disclosures/${leaf.id}/proof`, again)
    assert.deepStrictEqual([proof.status, proof.json.index], [200, leaf.treeIndex])
    const record = () =>
      call(restored, "GET", `/api/provider/patients/${veteran.id}/record`, { headers: provider.headers })
    const opened = () => Promise.all([kept, revoked].map(({ token }) => step(restored, "open", { token })))
    assert.strictEqual((await record()).status, 200)
    // The backup is older than the revoke, so the revoked link opens again after the restore. The commands in
    // docs/operator.md then end all links, consents and sessions.
    assert.deepStrictEqual((await opened()).map(({ status }) => status), [200, 200])
    const live = () =>
      shell(
        `psql "$OWNER_URL" -AXt -c "select count(*) filter (where ended_at is null), count(pairing_code_hash)
          from veteran_sessions join veterans v on v.id = veteran_id"`,
        after
      )
    assert.strictEqual(await live(), "1|1\n")
    await shell(distrust!, after)
    assert.strictEqual(await live(), "0|0\n")
    assert.deepStrictEqual((await opened()).map(({ status }) => status), [410, 410])
    assert.strictEqual((await record()).status, 401)
    assert.strictEqual(
      (await call(restored, "GET", "/api/veteran/me/consent-grants", again)).json.items[0].status,
      "revoked"
    )
    await restored.stop()
    assert.match(await shell(look!, after), /^sound: /)

    // The role that docs/operator.md makes for it rotates the keys. Then the old key is no longer needed.
    const [old, next] = production.TOKEN_ENCRYPTION_KEY.split(",")
    await shell("npm run --silent rotate-keys", {
      ...after,
      TOKEN_ENCRYPTION_KEY: `${next},${old}`,
      MIGRATION_DATABASE_URL: second.url("vrss_rotate", encodeURIComponent(passwords.ROTATE_PASSWORD), "vrss")
    })
    assert.match(await shell(look!, { ...after, TOKEN_ENCRYPTION_KEY: next! }), /^sound: /)
  }
)
