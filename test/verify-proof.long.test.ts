import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, assert, describe, test } from "vitest"
import { signCheckpoint } from "../src/services/ledger/Checkpoint.ts"
import { leafHash } from "../src/services/ledger/MerkleTree.ts"
import { generateKey, parsePrivateKey, publicKeyText } from "../src/services/ledger/SignedNote.ts"
import { drain, proofOf, rootOf, textOf, writeEvents } from "./http/ledger/Drained.ts"
import { openApp, openFolder } from "./support/App.ts"
import { call, registerVeterans, signIn } from "./support/Client.ts"
import { startProgram } from "./support/RunProgram.ts"

const folder = await openFolder()

/** The program has no database and no variable that names one. */
const run = (program: string, ...args: ReadonlyArray<string>) => startProgram(program, args, { cwd: folder }).outcome

const signingKey = generateKey("records.example.org/disclosures")!

const key = parsePrivateKey(signingKey)!

const keyText = publicKeyText(key)

let saved = 0

const save = async (text: string) => {
  const name = join(folder, `file-${++saved}`)
  await writeFile(name, text)
  return name
}

const verify = (...args: ReadonlyArray<string>) => run("verify-proof", "--key", keyText, ...args)

const { database, service } = await openApp({ PROOF_SIGNING_KEY: signingKey })

const owner = await database.connect("superuser")

/** Writes six events of one veteran, adds them to the proof tree, and exports their proofs. */
const [registered] = await registerVeterans(owner, 1)

const veteran = await signIn(service, registered!)

const ids = await writeEvents(owner, veteran.id, 6)

await drain(service)

const proofNow = (id: string) => proofOf(service, veteran, id)

const early = (await Promise.all(ids.map(proofNow))).map(({ text }) => text)

const tables = ["proofs", "proof_tiles", "proof_checkpoints"]

for (const table of tables) await owner.query(`create table saved_${table} as table ${table}`)

// Its triggers refuse what the attacker does below, unless they are turned off.
await owner.query("set session_replication_role = replica")

/** Restores the tables as they were at the time of the export. */
afterEach(async () => {
  for (const table of tables) {
    await owner.query(`truncate ${table}`)
    await owner.query(`insert into ${table} overriding system value table saved_${table}`)
  }
})

/** Rebuilds and signs tiles and checkpoint from the present rows, as an attacker with database and key could. */
const rebuild = async () => {
  const { rows } = await owner.query("select leaf_hash from proofs where tree_index is not null order by tree_index")
  const hashes = rows.map(({ leaf_hash: hash }) => hash as Buffer)
  const root = rootOf(hashes)
  await owner.query("update proof_tiles set hashes = $1", [Buffer.concat(hashes)])
  await owner.query("delete from proof_checkpoints")
  await owner.query("insert into proof_checkpoints values (app.uuid_v7(now()), $1, $2, $3, now())", [
    hashes.length,
    root,
    signCheckpoint(key, { size: hashes.length, root })
  ])
}

const tampering: ReadonlyArray<readonly [what: string, change: () => Promise<unknown>]> = [
  ["changed", () => owner.query("update proofs set leaf_hash = $1 where id = $2", [randomBytes(32), ids[2]])],
  ["removed", async () => {
    await owner.query("delete from proofs where id = $1", [ids[2]])
    for (const at of [3, 4, 5]) {
      await owner.query("update proofs set tree_index = $1 where tree_index = $2", [at - 1, at])
    }
  }],
  ["added", async () => {
    for (const at of [5, 4, 3, 2]) {
      await owner.query("update proofs set tree_index = $1 where tree_index = $2", [at + 1, at])
    }
    await owner.query(
      `insert into proofs (veteran_id, id, kind, at, leaf_ciphertext, leaf_hash, tree_index)
       values ($1, app.uuid_v7(now()), 'grant_given', now(), '\\x00', $2, 2)`,
      [veteran.id, leafHash("an event that never was")]
    )
  }],
  ["swapped", async () => {
    await owner.query("update proofs set tree_index = 99 where id = $1", [ids[1]])
    await owner.query("update proofs set tree_index = 1 where id = $1", [ids[4]])
    await owner.query("update proofs set tree_index = 4 where id = $1", [ids[1]])
  }]
]

const consistencyOf = async (from: number, to: number) =>
  (await call(service, "GET", `/api/proofs/consistency?from=${from}&to=${to}`)).text

const sizeOf = (note: string) => Number(note.split("\n")[1])

describe("verify-proof", () => {
  test("accepts exported proofs, and a later checkpoint whose tree begins with the same events", async () => {
    await writeEvents(owner, veteran.id, 300)
    await drain(service)
    const checkpoint = await textOf(service, "/api/proofs/checkpoint")
    const proof = await save(early[0]!)
    const leaf = JSON.parse(early[0]!).leaf
    const asText = (await proofOf(service, veteran, ids[0]!, "text/plain")).text
    const said = await verify(
      proof,
      await save(early[5]!),
      "--older",
      proof,
      "--newer",
      await save(checkpoint),
      "--consistency",
      await save(await consistencyOf(6, 306))
    )
    assert.strictEqual(said.code, 0, said.stdout + said.stderr)
    assert.lengthOf(said.stdout.trim().split("\n"), 3)
    assert.match(
      said.stdout,
      /^VALID  \S+: the event \S+ \(document_read, \S+Z\) is number 1 of the 6 events of records\.example\.org\/disclosures\n/
    )
    assert.match(said.stdout, /the first 6 of the 306 events of records\.example\.org\/disclosures are as they were\n$/)
    const keyFile = await save(await textOf(service, "/api/proofs/key"))
    const tlog = await run("verify-proof", "--key", keyFile, await save(asText), "--leaf", await save(leaf))
    assert.strictEqual(tlog.code, 0, tlog.stdout + tlog.stderr)
  })

  test.each(tampering)(
    "detects a row that was %s, even after the owner has signed the changed tree",
    async (_, change) => {
      await change()
      // The tiles are unchanged, so the service's own proofs of changed rows do not verify.
      const proofs = (await Promise.all(ids.map(proofNow))).filter(({ status }) => status === 200)
      const alone = await verify(...await Promise.all(proofs.map(({ text }) => save(text))))
      assert.strictEqual(alone.code, 1, alone.stdout)
      // With rebuilt tiles and checkpoint the proofs verify, but an earlier export shows the change.
      await rebuild()
      const checkpoint = await textOf(service, "/api/proofs/checkpoint")
      const [older, newer] = [await save(early[0]!), await save(checkpoint)]
      const proof = await consistencyOf(Math.min(6, sizeOf(checkpoint)), sizeOf(checkpoint))
      const args = sizeOf(checkpoint) === 6 ? [] : ["--consistency", await save(proof)]
      const said = await verify("--older", older, "--newer", newer, ...args)
      assert.strictEqual(said.code, 1, said.stdout)
      assert.match(said.stdout, /^NOT VALID  .*: events were (changed|removed): /)
    }
  )

  test("says what is wrong with a proof that was changed", async () => {
    const proof = JSON.parse(early[0]!)
    const [files, sentences]: [Array<string>, Array<string>] = [[], []]
    const other = publicKeyText(parsePrivateKey(generateKey("records.example.org/disclosures")!)!)
    for (
      const [changed, sentence] of [
        [{ leaf: proof.leaf.replace("document_read", "document_lost") }, "the text of the event was changed"],
        [{ salt: "another" }, "the salt is not the one in the event"],
        [{ index: 3 }, "the event is not number 3 of the 6 events that the checkpoint stands for"],
        [{ treeSize: 7 }, "the proof is for 7 events, and its checkpoint for 6"],
        [{ hashes: proof.hashes.toReversed() }, "the event is not number 0 of the 6 events"],
        [{ checkpoint: proof.checkpoint.replace("\n6\n", "\n7\n") }, "the checkpoint is not one of the log"],
        [{ checkpoint: "" }, "the checkpoint is not one of the log"],
        [{ hashes: "none" }, "the file is neither the JSON of a proof nor a .tlog-proof"]
      ] as const
    ) {
      files.push(await save(JSON.stringify({ ...proof, ...changed })))
      sentences.push(sentence)
    }
    const said = await verify(...files)
    assert.strictEqual(said.code, 1)
    for (const [n, line] of said.stdout.trim().split("\n").entries()) assert.include(line, sentences[n]!)
    assert.lengthOf(said.stdout.trim().split("\n"), sentences.length)
    const foreign = await run("verify-proof", "--key", other, await save(early[0]!))
    assert.strictEqual(foreign.code, 1)
    assert.include(foreign.stdout, "the checkpoint is not one of the log")
  })

  test("exits with status 2 and checks nothing if the command is wrong", async () => {
    const missing = join(folder, "missing")
    for (
      const [args, sentence] of [
        [[], "there is nothing to check"],
        [[missing], "missing cannot be read: ENOENT"],
        [["--older", missing], "--older and --newer go together"],
        [["--consistency", missing, missing], "--consistency goes with --older and --newer"],
        [["--leaf", missing, missing, missing], "--leaf goes with one proof"],
        [["--nothing"], "--nothing"]
      ] as const
    ) {
      const said = await verify(...args)
      assert.strictEqual(said.code, 2, said.stderr)
      assert.include(said.stderr, sentence)
    }
    assert.strictEqual((await run("verify-proof", missing)).code, 2)
    const noKey = await run("verify-proof", "--key", await save("no key"), missing)
    assert.deepStrictEqual([noKey.code, noKey.stderr.trim()], [2, "--key is no public key of a log: name+id+base64"])
  })
})

describe("proof-key", () => {
  test("prints a private key on standard output, and its public key on standard error", async () => {
    const made = await run("proof-key", "records.example.org/log")
    assert.strictEqual(made.code, 0)
    const key = parsePrivateKey(made.stdout.trim())!
    assert.strictEqual(made.stderr, `public key: ${publicKeyText(key)}\n`)
    const refused = await run("proof-key", "two words")
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.strictEqual(refused.stderr, "The name must not be empty, and hold neither white space nor +.\n")
  })
})
