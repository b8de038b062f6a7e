import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { openApp } from "./support/App.ts"
import { call } from "./support/Client.ts"
import { operatorInProcess } from "./support/OperatorInProcess.ts"
import { commands, json, operatorAt } from "./support/OperatorProgram.ts"
import { openPeople } from "./support/People.ts"

const { service } = await openApp()

const operator = operatorInProcess(service)

const program = operatorAt(service)

const { actsOf, newEmail, newProvider, newVeteran } = openPeople(service)

test("The page for the operator names no command that there is not", async () => {
  const page = await readFile(new URL("../docs/operator.md", import.meta.url), "utf8")
  const named = [...page.matchAll(/`operator (provider|veteran|waitlist) ([a-z-]+)|`operator (acts)/g)]
    .map(([, kind, command, alone]) => alone ?? `${kind} ${command}`)
  assert.deepStrictEqual(commands.filter((command) => !named.includes(command)), [])
  assert.deepStrictEqual(named.filter((command) => !commands.includes(command)), [])
})

describe("Providers", () => {
  test("are listed, found, edited, disabled and enabled by id, e-mail or NPI", async () => {
    const provider = await newProvider()
    const found = await program(["provider", "list", "--email", provider.email.toUpperCase()])
    assert.strictEqual(found.code, 0, found.stderr)
    const [heading, line, ...more] = found.stdout.trimEnd().split("\n")
    assert.deepStrictEqual(heading!.split(/ {2,}/), ["ID", "E-MAIL", "NAME", "ORGANIZATION", "NPI", "DISABLED"])
    assert.deepStrictEqual(line!.split(/ {2,}/), [provider.id, provider.email, "Dr. Ada Gray", "Gray Clinic"])
    assert.deepStrictEqual(more, [])
    assert.deepStrictEqual(json(await operator(["provider", "list", "--email", provider.email, "--json"])), {
      items: [provider],
      nextCursor: null
    })
    const edit = ["provider", "edit", provider.email, "--name", "Dr. Ada Smith", "--npi", "1234567893", "--json"]
    assert.deepStrictEqual(json(await operator(edit)), { ...provider, displayName: "Dr. Ada Smith", npi: "1234567893" })
    const without = json(await operator(["provider", "edit", provider.id, "--no-npi", "--json"]))
    assert.strictEqual(without.npi, null)
    const disabled = await operator(["provider", "disable", provider.id.toUpperCase(), "--yes"])
    assert.match(disabled.stdout, /^DISABLED {6}\d{4}-\d\d-\d\d \d\d:\d\dZ$/m)
    assert.match((await operator(["provider", "enable", provider.email])).stdout, /^DISABLED *$/m)
    assert.deepStrictEqual(await actsOf(provider.id), ["provider_enabled", "provider_disabled", "provider_changed",
      "provider_changed", "provider_registered"])
  })

  test("are named in a refusal with what to do, and each kind has its exit code", async () => {
    const [one, other] = [await newProvider(), await newProvider()]
    const taken = await program(["provider", "edit", one.id, "--email", other.email])
    assert.deepStrictEqual([taken.code, taken.stdout], [4, ""])
    assert.match(taken.stderr, /^Another provider has this e-mail\. \([0-9a-f-]{36}\)\n$/)
    const malformed = await operator(["provider", "edit", one.id, "--npi", "1234567890"])
    assert.strictEqual(malformed.code, 4)
    assert.match(malformed.stderr, /^npi: Expected a valid NPI \(10 digits\)$/m)
    const nobody = await operator(["provider", "disable", newEmail(), "--yes"])
    assert.strictEqual(nobody.code, 3)
    assert.match(
      nobody.stderr,
      /^No provider has the email person-.* "operator provider list --all" has all of them\.\n$/
    )
    assert.strictEqual((await operator(["provider", "enable", randomUUID()])).code, 3)
    const nothing = await operator(["provider", "edit", one.id])
    assert.deepStrictEqual(nothing, { code: 2, stdout: "", stderr: "Say what to change: see --help.\n" })
  })
})

describe("Veterans", () => {
  test("are added, found, edited and given a pairing code", async () => {
    const [vaPatientId, email] = [`icn-${randomUUID()}`, newEmail()]
    const add = ["veteran", "add", "--va-patient-id", vaPatientId, "--call-sign", "Eagle One", "--email", email]
    const added = json(await operator([...add, "--json"]))
    assert.deepInclude(added, { vaPatientId, callSign: "Eagle One", email })
    assert.strictEqual((await operator(add)).code, 4)
    const edited = await operator(["veteran", "edit", vaPatientId, "--call-sign", "Hawk"])
    assert.match(edited.stdout, /^CALL SIGN {3}Hawk$/m)
    const code = await operator(["veteran", "pairing-code", email])
    assert.match(code.stdout, /^CODE {9}[0-9A-HJKMNP-TV-Z]{12}\nWORKS UNTIL {2}\d{4}-\d\d-\d\d \d\d:\d\dZ\n$/)
    assert.deepStrictEqual(await operator(["veteran", "identities", email]), {
      code: 0,
      stdout: "",
      stderr: "no account of the VA\n"
    })
    assert.deepStrictEqual(await actsOf(added.id), ["pairing_code_made", "veteran_changed", "veteran_registered"])
  })

  test("who share an e-mail are told apart, and none is changed", async () => {
    const email = newEmail()
    const [one, other] = [await newVeteran({ email }), await newVeteran({ email })]
    const { code, stderr } = await operator(["veteran", "edit", email, "--call-sign", "Hawk"])
    assert.strictEqual(code, 3)
    for (const { id, vaPatientId } of [one, other]) {
      assert.include(stderr, id)
      assert.include(stderr, vaPatientId)
      assert.deepStrictEqual(await actsOf(id), ["veteran_registered"])
    }
  })

  test("cannot move a terminal's cursor by their names", async () => {
    const { id, vaPatientId } = await newVeteran({ callSign: "Eagle\u001b[2J\u009b2J\nHawk" })
    const table = await operator(["veteran", "list", "--va-patient-id", vaPatientId])
    assert.include(table.stdout, "Eagle�[2J�2J�Hawk")
    const shown = await operator(["veteran", "list", "--va-patient-id", vaPatientId, "--json"])
    assert.include(shown.stdout, String.raw`Eagle\u001b[2J\u009b2J\nHawk`)
    assert.strictEqual(json(shown).items[0].id, id)
  })
})

test("Access ends, a deletion is asked for and cancelled, and links are mailed, by the service's own routes", async () => {
  const { id, vaPatientId } = await newVeteran()
  const named = ["--yes", "--json"]
  assert.deepStrictEqual(json(await operator(["veteran", "end-access", vaPatientId, ...named])), {
    sessions: 0,
    grants: 0,
    apps: 0,
    links: 0,
    releases: 0
  })
  assert.deepStrictEqual(await operator(["veteran", "deletion", vaPatientId]), {
    code: 3,
    stdout: "",
    stderr: `Nobody asked to forget ${vaPatientId}, or it was cancelled, or is done.\n`
  })
  const asked = json(await operator(["veteran", "forget", vaPatientId, "--reason", "ticket 4711", ...named]))
  assert.deepStrictEqual(json(await operator(["veteran", "deletion", id, "--json"])), asked)
  assert.strictEqual((await operator(["veteran", "cancel-forget", id])).stdout, `${id} is not forgotten.\n`)
  const { stdout } = await operator(["acts", "--veteran", vaPatientId])
  assert.match(stdout, /deletion_asked .*ticket 4711$/m)
  const email = newEmail()
  const add = ["provider", "add", "--email", email, "--name", "Dr. Ada Gray", "--organization", "Gray Clinic"]
  const provider = json(await operator([...add, "--json"]))
  assert.strictEqual((await operator(["provider", "password-link", email])).code, 0)
  assert.deepStrictEqual(await actsOf(provider.id), ["password_link_sent", "provider_registered"])
})

test("An address leaves the waitlist, and the acts tell by whom", async () => {
  const email = newEmail()
  await call(service, "POST", "/api/waitlist", { body: { email } })
  const listed = json(await operator(["waitlist", "list", "--all", "--json"]))
  const { id } = listed.items.find((one: any) => one.email === email)
  assert.deepStrictEqual(await operator(["waitlist", "remove", email.toUpperCase(), "--yes"]), {
    code: 0,
    stdout: "Removed.\n",
    stderr: ""
  })
  assert.strictEqual((await operator(["waitlist", "remove", email, "--yes"])).code, 3)
  const { stdout } = await operator(["acts", "--target", id, "--key", "admin"])
  const [heading, line] = stdout.trimEnd().split("\n")
  assert.strictEqual(heading!.trimEnd(), heading)
  assert.match(
    line!,
    /^\d{4}-\d\d-\d\d \d\d:\d\dZ {2}waitlist_signup_removed {2}waitlist_signup {2}[0-9a-f-]{36} {2}admin/
  )
  const veteran = await newVeteran()
  const acts = json(await operator(["acts", "--veteran", veteran.vaPatientId, "--json"]))
  assert.deepStrictEqual(acts.items.map(({ act }: any) => act), ["veteran_registered"])
})
