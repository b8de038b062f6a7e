import { Effect, Fiber, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { FhirReader } from "../../../../src/client/FhirReader.ts"
import type { FhirServer } from "../../../../src/client/FhirServer.ts"
import type { FromUpdate } from "../../../../web/veteran/update/Messages.ts"
import type { Outbox } from "../../../../web/veteran/update/Outbox.ts"
import { Presence } from "../../../../web/veteran/update/Presence.ts"
import { ServiceAccess } from "../../../../web/veteran/update/ServiceAccess.ts"
import { runUpdate } from "../../../../web/veteran/update/UpdateRun.ts"
import { eventually, patient, serve } from "../../../client/Upstream.ts"
import { openApp } from "../../../support/App.ts"
import { registerVeterans, type SignedIn, signIn } from "../../../support/Client.ts"
import { readRecord } from "../../../support/Sync.ts"
import { openGate } from "./Gate.ts"

/** A time of the device that no test reaches. */
export const never = Number.MAX_SAFE_INTEGER

export interface Ground {
  readonly server: Pick<FhirServer["Service"], "baseUrl">
  readonly veteran: SignedIn
  readonly gate: Awaited<ReturnType<typeof openGate>>
}

interface Changes {
  readonly begin?: string
  /** When the access token of the service ends. */
  readonly expiresAt?: number
  readonly vaExpiresAt?: number
  readonly patientId?: string
}

/** Begins an update as the thread does, in this process. */
export const start = Effect.fnUntraced(
  function*({ gate, server, veteran }: Ground, resourceTypes: ReadonlyArray<string>, changes: Changes = {}) {
    const { begin = null, expiresAt = never, patientId = "veteran", vaExpiresAt = never } = changes
    const { authorization } = veteran.headers
    const messages: Array<FromUpdate> = []
    const presence = new Presence()
    const access = new ServiceAccess({ authorization, expiresAt }, () => messages.push({ is: "renew" }))
    let outbox: Outbox | undefined
    const source = { api: gate.url, fhirBase: server.baseUrl, patientId, vaToken: "va-token", vaExpiresAt }
    const fiber = yield* Effect.forkChild(
      runUpdate({ ...source, access: { authorization, expiresAt } }, { resourceTypes, begin }, {
        access,
        presence,
        tell: (message) => void messages.push(message),
        outbox: (made) => {
          outbox = made
        }
      }).pipe(Effect.provide(FhirReader.layer.pipe(Layer.provideMerge(FetchHttpClient.layer))))
    )
    /** How far each kind was told to be at last. */
    const kinds = () =>
      new Map(
        messages.flatMap((message) => message.is === "kinds" ? message.kinds : [])
          .map((kind) => [kind.resourceType, kind])
      )
    return { fiber, messages, presence, access, outbox: () => outbox!, kinds }
  }
)

type Begun = Effect.Success<ReturnType<typeof start>>

/** Waits in real time until the update ended, and returns how. */
export const ended = ({ fiber }: Pick<Begun, "fiber">) => TestClock.withLive(Fiber.join(fiber))

/** Runs an update to its end. */
export const update = Effect.fnUntraced(function*(...given: Parameters<typeof start>) {
  const begun = yield* start(...given)
  return { ...begun, end: yield* ended(begun) }
})

export const steps = ({ kinds }: Pick<Begun, "kinds">) =>
  Object.fromEntries([...kinds()].map(([type, { step }]) => [type, step]))

/** When an update first stored something, as it told. */
export const storedAt = ({ messages }: Pick<Begun, "messages">) =>
  messages.flatMap((message) => message.is === "stored" ? [message.at] : [])[0]

/** Gives the requests time to arrive that must not be sent. */
export const quiet = TestClock.withLive(Effect.sleep("60 millis"))

export const waitFor = (what: () => boolean) => eventually(Effect.sync(what))

export const goals = (count: number, version = 1) =>
  Array.from({ length: count }, (_, n) => `{"resourceType":"Goal","id":"g${n}","x":${version}.00}`)

/** Opens the service that all tests share, and what they do with it. */
export const openGround = async () => {
  const { database, service } = await openApp()
  const owner = await database.connect("owner")

  /** A new veteran, and a gate before the service. */
  const arrive = Effect.promise(async () => ({
    veteran: await signIn(service, (await registerVeterans(owner, 1))[0]!),
    gate: await openGate(service)
  }))

  /** The same, with a FHIR server that has a patient of these types. */
  const ground = Effect.fnUntraced(function*(types: Record<string, ReadonlyArray<string>>) {
    return { ...yield* arrive, server: yield* serve(yield* patient(types)) }
  })

  const record = ({ veteran }: Ground) => Effect.promise(() => readRecord(service, veteran))

  const storedTexts = (ground: Ground) =>
    Effect.map(record(ground), ({ items }) => items.map(({ text }) => text).sort())

  /** The state of each type and how its last fetch ended. */
  const states = (ground: Ground) =>
    Effect.map(record(ground), ({ manifest }) =>
      Object.fromEntries(
        Object.entries(manifest).map(([type, entry]: [string, any]) => [type, [entry.state, entry.lastFetch]])
      ))

  return { arrive, ground, record, storedTexts, states }
}
