import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { randomInt } from "node:crypto"
import { assert, describe, test } from "vitest"
import { clientAddress } from "../../../src/http/wire/ClientAddress.ts"
import { openApp, openService } from "../../support/App.ts"
import { call, randomAddress } from "../../support/Client.ts"

/** Behind one trusted proxy. Other values than 1 and 2 are the pure function's. */
const { database, service } = await openApp()

const behindTwo = await openService(database, { TRUSTED_PROXY_HOPS: "2" })

const address = (hops: number, forwarded: string | undefined, peer = "192.0.2.1") =>
  clientAddress(
    {
      remoteAddress: Option.some(peer),
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    } as unknown as HttpServerRequest.HttpServerRequest,
    hops
  )

describe("The client's address", () => {
  test("is the peer's if there is no trusted proxy, even if the client sends forwarding headers", () => {
    for (const forged of [undefined, "203.0.113.9", "203.0.113.9, 198.51.100.7", "", ",", "nonsense"]) {
      assert.strictEqual(address(0, forged), "192.0.2.1")
    }
  })

  test("is what the outermost trusted proxy saw; addresses further left in the header are ignored", () => {
    assert.strictEqual(address(1, "203.0.113.9"), "203.0.113.9")
    assert.strictEqual(address(1, "1.1.1.1, 2.2.2.2,203.0.113.9"), "203.0.113.9")
    assert.strictEqual(address(2, "203.0.113.9, 10.0.0.2"), "203.0.113.9")
    assert.strictEqual(address(2, "1.1.1.1, 203.0.113.9 , 10.0.0.2"), "203.0.113.9")
  })

  test("is the peer's if the header has no valid address where the outermost trusted proxy writes it", () => {
    for (const forwarded of [undefined, "", "unknown", "203.0.113.9, ", "203.0.113.9, not an address"]) {
      assert.strictEqual(address(1, forwarded), "192.0.2.1")
    }
    assert.strictEqual(address(2, "203.0.113.9"), "192.0.2.1")
    assert.strictEqual(address(2, undefined), "192.0.2.1")
  })

  test("is the /64 network of an IPv6 address, in every spelling", () => {
    const network = address(1, "2001:db8:1:2::1")
    for (const same of ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0DB8:0001:0002:0:0:0:7", "2001:db8:1:2::"]) {
      assert.strictEqual(address(1, same), network)
      assert.strictEqual(address(0, undefined, same), network)
    }
    assert.notStrictEqual(address(1, "2001:db8:1:3::1"), network)
  })

  test("is the IPv4 address within an IPv4-mapped IPv6 address", () => {
    for (const same of ["::ffff:203.0.113.9", "::ffff:cb00:7109", "::FFFF:203.0.113.9"]) {
      assert.strictEqual(address(1, same), "203.0.113.9")
      assert.strictEqual(address(0, undefined, same), "203.0.113.9")
    }
    assert.notStrictEqual(address(1, "::ffff:203.0.113.8"), "203.0.113.9")
  })
})

describe("The client's address, if a proxy or a gateway rewrites it,", () => {
  test("is read without the port that some proxies append", () => {
    assert.strictEqual(address(1, "1.1.1.1, 203.0.113.9:55123"), "203.0.113.9")
    assert.strictEqual(address(1, "[2001:db8:1:2::1]:443"), address(1, "2001:db8:1:2::1"))
    assert.strictEqual(address(1, "[2001:db8:1:2::1]"), address(1, "2001:db8:1:2::1"))
    assert.strictEqual(address(1, "[203.0.113.9"), "192.0.2.1")
  })

  test("is the IPv4 address in a NAT64 or 6to4 address, so that such clients do not share a limit", () => {
    assert.strictEqual(address(1, "64:ff9b::203.0.113.9"), "203.0.113.9")
    assert.strictEqual(address(0, undefined, "64:ff9b::cb00:7108"), "203.0.113.8")
    assert.strictEqual(address(1, "2002:cb00:7109:1::1"), "203.0.113.9")
    assert.strictEqual(address(1, "2002:cb00:7109:ffff::2"), "203.0.113.9")
  })
})

describe("Forged headers", () => {
  const octet = (index: number) => `198.51.100.${index + 1}`
  const [client, other, proxy] = [randomAddress(), randomAddress(), randomAddress()]
  const network = `2001:db8:${randomInt(65_536).toString(16)}:2`
  const forgeries: ReadonlyArray<readonly [hops: number, forged: (index: number) => string]> = [
    [1, (index) => `${octet(index)}, ${client}`],
    [1, (index) => `${octet(index)}, ${network}::${index + 1}`],
    [1, (index) => index % 2 === 0 ? other : `::ffff:${other}`],
    [2, (index) => `${octet(index)}, ${proxy}, ${octet(index)}`]
  ]

  test.each(forgeries)("give no client a separate rate limit behind %i trusted proxies", async (hops, forged) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call(hops === 1 ? service : behindTwo, "POST", "/api/provider/login", {
          headers: {
            "x-forwarded-for": forged(index),
            "x-real-ip": octet(index),
            forwarded: `for=${octet(index)}`
          },
          body: "{"
        }))
    )
    assert.strictEqual(answers.filter(({ status }) => status === 400).length, 30)
    assert.strictEqual(answers.filter(({ status }) => status === 429).length, 10)
  })
})
