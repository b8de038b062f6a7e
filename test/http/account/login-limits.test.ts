import { randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"

const { service } = await openApp()

describe("The limit of logins by address", () => {
  // A login whose body does not parse counts too, but costs no password hash.
  const attempt = (address: string) =>
    call(service, "POST", "/api/provider/login", { headers: { "x-forwarded-for": address }, body: "{" })

  const tally = async (addresses: ReadonlyArray<string>) => {
    const answers = await Promise.all(addresses.map(attempt))
    return [400, 429].map((status) => answers.filter((answer) => answer.status === status).length)
  }

  const times = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => address(index))

  const site = () => `2001:db8:${randomBytes(2).toString("hex")}`

  const group = (value: number) => value.toString(16)

  test("is 30 for a /64 of IPv6 and 120 for the /56 around it; other /56s are not affected", async () => {
    const network = site()
    assert.deepStrictEqual(await tally(times(40, (index) => `${network}:1200::${group(index + 1)}`)), [30, 10])
    // The /64 refused ten of the 40 logins, so the /56 counted only 30 of them, and 90 of its 120 remain.
    assert.deepStrictEqual(await tally(times(100, (index) => `${network}:${group(0x1201 + index)}::1`)), [90, 10])
    assert.deepStrictEqual(await tally([`${network}:1300::1`, `${network}:1100::1`]), [2, 0])
  })

  test("is 480 for a /48 of IPv6, and other /48s are not affected", async () => {
    const [network, other] = [site(), site()]
    assert.deepStrictEqual(await tally(times(500, (index) => `${network}:${group(index * 100)}::1`)), [480, 20])
    assert.deepStrictEqual(await tally([`${other}::1`]), [1, 0])
  })
})
