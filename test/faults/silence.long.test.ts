import { afterEach, assert, describe, test } from "vitest"
import { assertAway, assertBounded, assertRecovered, openGround, openPeople, watchHealth } from "./Ground.ts"

const ground = await openGround()

const people = await openPeople(ground)

afterEach(() => {
  ground.proxy.speak()
  ground.proxy.slow(0)
})

describe("A PostgreSQL that falls silent without closing a connection", () => {
  test("delays each request by at most ten seconds, and the pools recover when new connections work", async () => {
    const stopWatching = watchHealth(people)
    ground.proxy.silence()
    await assertAway(people, 6)
    // By now the service opens new connections, which nobody answers either.
    await assertAway(people)
    ground.proxy.speak()
    await assertRecovered(people, performance.now())
    assert.deepStrictEqual(await stopWatching(), [200])
  })

  test("delays requests only for a short time if new connections still work", async () => {
    await assertRecovered(people, performance.now())
    ground.proxy.forget()
    // Requests on the silent connections fail. The service then closes all of them, so later requests succeed.
    await assertAway(people, 1).catch(() => {})
    await assertRecovered(people, performance.now())
  })
})

describe("A PostgreSQL that is slow", () => {
  test("is waited for when it answers in time", async () => {
    ground.proxy.slow(40)
    await assertRecovered(people, performance.now())
  })

  test("delays each request by at most ten seconds in all, even if it answers every statement", async () => {
    ground.proxy.slow(1_300)
    assert.include(await assertBounded(people), 503)
    ground.proxy.slow(0)
    await assertRecovered(people, performance.now())
  })
})
