import { Effect, Exit, Fiber, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { FhirReader } from "../../../src/client/FhirReader.ts"
import type { End, FromUpdate, ToUpdate, UpdateSource, UpdateTask } from "./Messages.ts"
import type { Outbox } from "./Outbox.ts"
import { Presence } from "./Presence.ts"
import { ServiceAccess } from "./ServiceAccess.ts"
import { runUpdate } from "./UpdateRun.ts"

/**
 * The thread of an update. It reads the record from the VA and sends it to the service. The VA's access token is in
 * this thread alone. When the thread is terminated, the token and all that was not sent are gone.
 */

const tell = (message: FromUpdate) => postMessage(message)

const presence = new Presence()
let source: UpdateSource | undefined
let access: ServiceAccess | undefined
let outbox: Outbox | undefined
let stop = () => {}

addEventListener("offline", () => presence.leave("offline"))
addEventListener("online", () => presence.come("offline"))
if (!navigator.onLine) presence.leave("offline")

const layer = FhirReader.layer.pipe(Layer.provideMerge(FetchHttpClient.layer))

const start = (task: UpdateTask) => {
  stop()
  let awaited = true
  const surroundings = {
    access: access!,
    presence,
    tell: (message: FromUpdate) => awaited ? tell(message) : undefined,
    outbox: (made: Outbox) => void (outbox = made)
  }
  const update = runUpdate(source!, task, surroundings).pipe(
    Effect.catchTag("ServiceFailed", ({ failure }) => Effect.succeed<End>({ how: "failed", failure })),
    Effect.provide(layer),
    // The browser's preflight would refuse the headers of traces.
    Effect.provideService(HttpClient.TracerPropagationEnabled, false)
  )
  const fiber = Effect.runFork(update)
  fiber.addObserver((exit) => {
    if (!awaited) return
    const failure = { status: 0, error: "internal_error" }
    tell({ is: "ended", end: Exit.isSuccess(exit) ? exit.value : { how: "failed", failure } })
  })
  stop = () => {
    awaited = false
    Effect.runFork(Fiber.interrupt(fiber))
  }
}

addEventListener("message", ({ data }: MessageEvent<ToUpdate>) => {
  switch (data.ask) {
    case "start":
      source = data.source
      access = new ServiceAccess(data.source.access, () => tell({ is: "renew" }))
      return start(data.task)
    case "again":
      return start(data.task)
    case "access":
      return access?.give(data.access)
    case "hidden":
      presence.leave("hidden")
      return outbox?.hurry()
    case "shown":
      return presence.come("hidden")
    case "stop":
      return stop()
  }
})
