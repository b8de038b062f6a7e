import { createHmac, randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import { shlinkOf } from "../../src/services/link/SmartHealthLink.ts"
import { tokenOf } from "../../web/portal/link/Fragment.ts"

const token = "0yRK6l20wYLSGPCVoAz5vMS24mtxWROpmcMIxd3Y9y8"

/** Bytes 0 to 31. */
const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

/** The payload `{"url":"http://localhost:8080/api/shl/<id>","key":<key>,"exp":1900000000,"flag":"P","label":"Shared health record"}`. */
const payload =
  "eyJ1cmwiOiJodHRwOi8vbG9jYWxob3N0OjgwODAvYXBpL3NobC9BUUlEQkFVR0J3Z0pDZ3NNRFE0UEVCRVNFeFFWRmhjWUdSb2JIQjBlSHlBIiwia2V5IjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmthR3h3ZEhoOCIsImV4cCI6MTkwMDAwMDAwMCwiZmxhZyI6IlAiLCJsYWJlbCI6IlNoYXJlZCBoZWFsdGggcmVjb3JkIn0"

const payloadOf = (content: unknown) =>
  Buffer.from(typeof content === "string" ? content : JSON.stringify(content)).toString("base64url")

const ofPayload = (content: unknown) => tokenOf(`#shlink:/${payloadOf(content)}`)

describe("The token of a link in the address", () => {
  test("A fragment that is a token is that token, and a full stop or bracket behind it is ignored", async () => {
    assert.strictEqual(await tokenOf(`#${token}`), token)
    assert.strictEqual(await tokenOf(`#${token}.`), token)
    assert.strictEqual(await tokenOf(`#${token})`), token)
  })

  test("A token that begins with its veteran's slot is the whole of it", async () => {
    assert.strictEqual(await tokenOf(`#_-${token}`), `_-${token}`)
    assert.strictEqual(await tokenOf(`#_-${token}.`), `_-${token}`)
  })

  test("A SMART Health Link gives the token that its key makes", async () => {
    assert.strictEqual(await tokenOf(`#shlink:/${payload}`), token)
    assert.strictEqual(await tokenOf(`#shlink:/${payload}.`), token)
    assert.strictEqual(
      await ofPayload({ flag: "P", key: "__________________________________________8" }),
      "ZSgQL83tW6t2mshWAovFw3ZJu8wO8A2THoG2ERmviEE"
    )
  })

  test("Any link of the service gives the token that the service knows", async () => {
    for (let round = 0; round < 50; round++) {
      const bytes = randomBytes(32)
      const shlink = shlinkOf({
        key: bytes.toString("base64url"),
        publicUrl: "https://share.example.org",
        expiresAt: new Date("2030-01-01T00:00:00Z")
      })
      assert.strictEqual(
        await tokenOf(`#${shlink}`),
        createHmac("sha256", bytes).update("vrss secure link token").digest("base64url")
      )
    }
  })

  test("Other members of the payload are left alone, in any script", async () => {
    assert.strictEqual(await ofPayload({ flag: "P", key, label: "Expediente de María 健康", v: 2, more: [{}] }), token)
  })

  test.each([
    ["no fragment", ""],
    ["nothing behind the sign", "#"],
    ["a token without its end", `#${token.slice(0, -1)}`],
    ["a token that is too long", `#AAA${token}`],
    ["a token with half a slot", `#A${token}`],
    ["a token after something else", `#x:${token}`],
    ["a link without its payload", "#shlink:/"],
    ["a link with one slash more", `#shlink://${payload}`],
    ["a link as a reader's address has it", `#/shlink:/${payload}`],
    ["a payload without its end", `#shlink:/${payload.slice(0, -1)}`],
    ["a payload without its begin", `#shlink:/${payload.slice(1)}`],
    ["a payload that is too long", `#shlink:/${payloadOf({ flag: "P", key, label: "a".repeat(800) })}`],
    ["a payload of a megabyte", `#shlink:/${"A".repeat(1_048_576)}`],
    ["a letter that base64url does not have", `#shlink:/+${payload}`],
    ["a length that base64url does not have", "#shlink:/eyJmbGFnIjoiUCJ9A"],
    ["a payload that is encoded twice", `#shlink:/${payloadOf(payload)}`],
    ["a payload that is no JSON", `#shlink:/${payloadOf("{\"flag\":\"P\",")}`],
    ["a payload of the deepest nesting that fits", `#shlink:/${payloadOf("[".repeat(374) + "]".repeat(374))}`],
    ["a payload that is null", `#shlink:/${payloadOf("null")}`],
    ["a payload that is a text", `#shlink:/${payloadOf("\"P\"")}`],
    ["a payload that is a list", `#shlink:/${payloadOf([{ flag: "P", key }])}`],
    ["no key", `#shlink:/${payloadOf({ flag: "P" })}`],
    ["a short key", `#shlink:/${payloadOf({ flag: "P", key: key.slice(1) })}`],
    ["a long key", `#shlink:/${payloadOf({ flag: "P", key: `${key}A` })}`],
    ["a key with a padding", `#shlink:/${payloadOf({ flag: "P", key: `${key}=` })}`],
    ["a key with a line break", `#shlink:/${payloadOf({ flag: "P", key: `${key}\n` })}`],
    ["a key in a list", `#shlink:/${payloadOf({ flag: "P", key: [key] })}`],
    ["a key in an object", `#shlink:/${payloadOf({ flag: "P", key: { key } })}`],
    ["no flag", `#shlink:/${payloadOf({ key })}`],
    ["the flag of a link without a code", `#shlink:/${payloadOf({ flag: "U", key })}`],
    ["the flag of a link that lasts", `#shlink:/${payloadOf({ flag: "LP", key })}`],
    ["a flag in a list", `#shlink:/${payloadOf({ flag: ["P"], key })}`]
  ])("There is no token in %s", async (_, fragment) => {
    assert.isUndefined(await tokenOf(fragment))
  })
})
