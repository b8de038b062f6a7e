import { assert, describe, test } from "vitest"
import { openCheckpoint, signCheckpoint } from "../../../src/services/ledger/Checkpoint.ts"
import { emptyRoot } from "../../../src/services/ledger/MerkleTree.ts"
import {
  generateKey,
  openNote,
  parsePrivateKey,
  parsePublicKey,
  publicKeyText,
  signNote
} from "../../../src/services/ledger/SignedNote.ts"
import { formatTlogProof, parseTlogProof } from "../../../src/services/ledger/TlogProof.ts"

/** The example of golang.org/x/mod/sumdb/note. */
const go = {
  signer: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
  verifier: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature:
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
}

const signer = parsePrivateKey(go.signer)!

const verifier = parsePublicKey(go.verifier)!

const other = parsePrivateKey(generateKey("other")!)!

const note = `${go.text}\n${go.signature}`

describe("A signed note", () => {
  test("is written and read like in Go's package", () => {
    assert.strictEqual(publicKeyText(signer), go.verifier)
    assert.strictEqual(signNote(signer, go.text), note)
    assert.strictEqual(openNote(note, verifier), go.text)
  })

  test("opens beside signatures of other keys, but not for a key that has not signed it", () => {
    const cosigned = note + signNote(other, go.text).slice(go.text.length + 1)
    assert.strictEqual(openNote(cosigned, verifier), go.text)
    assert.strictEqual(openNote(note, parsePublicKey(publicKeyText(other))!), undefined)
  })

  test.each([
    ["another text", note.replace("answer", "question")],
    ["another signature", note.replace("x08go/ZJ", "x08go/ZK")],
    ["no signature", go.text],
    ["no end of line", note.slice(0, -1)],
    ["a line that is no signature", `${note}more\n`],
    ["a control character", note.replace("If", "\r")],
    ["one true signature and a false one", note + go.signature.replace("ZJkuBS", "ZJkuBT")],
    ["more text than a note may have", `${go.text.repeat(2000)}\n${go.signature}`],
    ["nothing", ""]
  ])("does not open with %s", (_, changed) => assert.strictEqual(openNote(changed, verifier), undefined))

  test.each([
    ["the id of another key", go.signer.replace("c74f20a3", "c74f20a4")],
    ["the key of another id", go.signer.replace("AYEKF", "AYEKG")],
    ["another algorithm", go.signer.replace("+AYEKF", "+BYEKF")],
    ["a key cut short", go.signer.slice(0, -4)],
    ["white space in its name", go.signer.replace("Neumann", " Neumann")],
    ["a public key", go.verifier],
    ["nothing", ""]
  ])("has no private key with %s", (_, text) => assert.strictEqual(parsePrivateKey(text), undefined))

  test.each(["", "a b", "a+b", "a\n", "a\u2003b"])(
    "has no key with the name %j",
    (name) => assert.strictEqual(generateKey(name), undefined)
  )
})

describe("A checkpoint", () => {
  const tree = { size: 2 ** 40, root: emptyRoot }

  test("holds size and root, and opens only for its own log", () => {
    const signed = signCheckpoint(signer, tree)
    assert.strictEqual(
      signed.split("\n— ")[0],
      "PeterNeumann\n1099511627776\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    )
    assert.deepStrictEqual(openCheckpoint(signed, verifier), tree)
    assert.strictEqual(openCheckpoint(signCheckpoint(other, tree), verifier), undefined)
    assert.strictEqual(
      openCheckpoint(signNote(signer, "elsewhere\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"), verifier),
      undefined
    )
  })

  test.each(["01", "-1", "1e3", "", "9007199254740993"])("has no size %j", (size) => {
    const signed = signNote(signer, `PeterNeumann\n${size}\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`)
    assert.strictEqual(openCheckpoint(signed, verifier), undefined)
  })
})

describe("A .tlog-proof", () => {
  const proof = { index: 73894, hashes: ["gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ="], checkpoint: note }

  test.each([proof, { ...proof, index: 0, hashes: [] }])("is read back as it was written", (proof) => {
    assert.deepStrictEqual(parseTlogProof(formatTlogProof(proof)), proof)
  })

  test("has the lines of C2SP's specification", () => {
    assert.strictEqual(
      formatTlogProof(proof),
      `c2sp.org/tlog-proof@v1\nindex 73894\n${proof.hashes[0]}\n\n${note}`
    )
    assert.deepStrictEqual(parseTlogProof(formatTlogProof(proof).replace("index", "extra YWdl\nindex")), proof)
  })

  test.each(["", "{}", note, "c2sp.org/tlog-proof@v1\n\n", "c2sp.org/tlog-proof@v2\nindex 1\n\n"])(
    "is not %j",
    (text) => assert.strictEqual(parseTlogProof(text), undefined)
  )
})
