import { assert, describe, test } from "vitest"
import { resolveWith } from "../../../src/services/oauth/PublicAddresses.ts"

/** A resolver that knows only these names, and records its queries. */
const knowing = (names: Readonly<Record<string, readonly [v4: ReadonlyArray<string>, v6: ReadonlyArray<string>]>>) => {
  const asked: Array<string> = []
  const answer = async (name: string, family: 0 | 1) => {
    asked.push(`${name} ${family === 0 ? "A" : "AAAA"}`)
    const found = names[name]?.[family] ?? []
    return found.length > 0 ? [...found] : Promise.reject(new Error("ENODATA"))
  }
  const resolver = { resolve4: (name: string) => answer(name, 0), resolve6: (name: string) => answer(name, 1) }
  return { asked, resolve: resolveWith(() => resolver as never) }
}

const refused = (host: string, { resolve } = knowing({})) => resolve(host).then(() => "taken", ({ message }) => message)

describe("The host of an app's receiver", () => {
  test.each([
    ["this machine", ["127.0.0.1", "127.255.255.254", "0.0.0.0", "[::1]", "[::]", "[::7f00:1]"]],
    ["a private network", ["10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "[fc00::1]", "[fd12::1]",
      "[fec0::1]"]],
    ["a provider's network (RFC 6598)", ["100.64.0.1", "100.127.255.255"]],
    ["the link-local network, where clouds serve secrets", ["169.254.169.254", "[fe80::1]"]],
    ["many hosts", ["224.0.0.1", "239.1.1.1", "255.255.255.255", "[ff02::1]"]],
    ["no host", ["192.0.2.1", "198.18.0.1", "240.0.0.1", "[2001:db8::1]", "[100::1]"]],
    ["a private IPv4 host in IPv6", ["[::ffff:127.0.0.1]", "[::ffff:a00:1]", "[64:ff9b::a00:1]", "[2002:a00:1::1]",
      "[2001::1]"]]
  ])("is refused if its address is of %s", async (_, hosts) => {
    for (const host of hosts) assert.strictEqual(await refused(host), "its address is not public", host)
  })

  test.each(["localhost", "printer.local", "x.internal..", "x.onion", "x.test."])(
    "is not looked up if its name is not public: %s",
    async (host) => {
      const known = knowing({ [host]: [["93.184.215.14"], []] })
      assert.strictEqual(await refused(host, known), "its name is not public")
      assert.deepStrictEqual(known.asked, [])
    }
  )

  test("resolves to its address if that is public", async () => {
    const { asked, resolve } = knowing({})
    assert.deepStrictEqual(await resolve("93.184.215.14"), [{ address: "93.184.215.14", family: 4 }])
    assert.deepStrictEqual(await resolve("[2606:4700::1111]"), [{ address: "2606:4700::1111", family: 6 }])
    assert.deepStrictEqual(asked, [])
  })

  test("is looked up once by its name, and refused if one of several addresses is not public", async () => {
    const known = knowing({
      "app.example": [["93.184.215.14"], ["2606:4700::1111"]],
      "old.example": [["93.184.215.14"], []],
      "half.example": [["93.184.215.14", "10.0.0.1"], []],
      "other-half.example": [["93.184.215.14"], ["::1"]]
    })
    assert.deepStrictEqual(await known.resolve("app.example"), [
      { address: "93.184.215.14", family: 4 },
      { address: "2606:4700::1111", family: 6 }
    ])
    assert.deepStrictEqual(known.asked, ["app.example A", "app.example AAAA"])
    assert.lengthOf(await known.resolve("old.example"), 1)
    assert.strictEqual(await refused("half.example", known), "its address is not public")
    assert.strictEqual(await refused("other-half.example", known), "its address is not public")
    assert.strictEqual(await refused("nobody.example", known), "its name has no address")
  })
})
