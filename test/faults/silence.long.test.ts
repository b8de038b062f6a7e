import { afterEach, assert, describe, test } from "vitest"
import { assertAway, assertBounded, assertRecovered, openGround, openPeople, watchHealth } from "./Ground.ts"

const ground = await openGround()

const people = await openPeople(ground)

afterEach(() => {
  ground.proxy.speak()
  ground.proxy.slow(0)
})

describe("A PostgreSQL that is heard no more, though no connection is closed,", () => {
  test("costs each request at most ten seconds, and the pools recover when new connections come through", async () => {
    const stopWatching = watchHealth(people)
    ground.proxy.silence()
    await assertAway(people, 6)
    // By now the service tries connections that nobody answers.
    await assertAway(people)
    ground.proxy.speak()
    await assertRecovered(people, performance.now())
    assert.deepStrictEqual(await stopWatching(), [200])
  })

  test("costs nothing for long when it was the connections of a moment", async () => {
    await assertRecovered(people, performance.now())
    ground.proxy.forget()
    // Requests on them are lost. The service gives them up, and no request meets a second one.
    await assertAway(people, 1).catch(() => {})
    await assertRecovered(people, performance.now())
  })
})

describe("A PostgreSQL that is slow", () => {
  test("is waited for when it answers in time", async () => {
    ground.proxy.slow(40)
    await assertRecovered(people, performance.now())
  })

  test("costs each request at most ten seconds in all, though each of its statements is answered", async () => {
    ground.proxy.slow(1_300)
    assert.include(await assertBounded(people), 503)
    ground.proxy.slow(0)
    await assertRecovered(people, performance.now())
  })
})
