import { Effect, Schedule } from "effect"
import { run } from "../../shared/Call.ts"
import { Problem } from "../../shared/Problem.ts"
import { openWorker } from "../../shared/TrustedTypes.ts"
import type { Access, End, FromUpdate, KindProgress, Step, ToUpdate, UpdateSource } from "./Messages.ts"
import { ScreenLock } from "./ScreenLock.ts"
import { readBegin, writeBegin } from "./UpdateBegin.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import updateWorker from "./UpdateWorker.ts?worker&url"

/** What the page knows of an update. Each change makes a new object. */
export interface UpdateState {
  /** `elsewhere`: an update runs in another window, and this one did not begin. */
  readonly phase: "running" | "stopped" | "ended" | "elsewhere"
  /** How it ended. A problem is why it could not go on. */
  readonly end: "done" | "va_over" | Problem | undefined
  readonly kinds: ReadonlyMap<string, KindProgress>
  /** The kinds that ended while this page watched, in this order. */
  readonly ended: ReadonlyArray<string>
  /** When the reading goes on after the VA asked to wait, by the device's clock. */
  readonly waitingUntil: number | undefined
  /** Whether the browser keeps the screen on. It is undefined until the browser answers. */
  readonly staysOn: boolean | undefined
}

export interface UpdateGiven {
  readonly source: Omit<UpdateSource, "access">
  readonly resourceTypes: ReadonlyArray<string>
  /** Renews the access token of the service. */
  readonly renewed: Effect.Effect<Access, Problem>
}

const isEnd = (step: Step) => !["open", "loading", "paused", "sending"].includes(step)

/** A renewal that gets no answer is repeated 3 times over a minute. */
const patiently = <A>(renewed: Effect.Effect<A, Problem>) =>
  Effect.retry(renewed, {
    while: ({ error }) => error === "unreachable" || error === "service_unavailable",
    schedule: Schedule.spaced("20 seconds"),
    times: 3
  })

/** An update whose thread runs, and the page's requests to that thread. It ends with the screen. */
export class RunningUpdate {
  private readonly thread = openWorker(updateWorker)
  private readonly given: UpdateGiven
  private readonly listeners = new Set<() => void>()
  private readonly screenLock = new ScreenLock((staysOn) => this.change({ staysOn }))
  private isSourceGiven = false
  /** Lets go of the lock by which at most one window updates. */
  private unlock = () => {}
  private stopRenewal = () => {}
  private state: UpdateState = {
    phase: "running",
    end: undefined,
    kinds: new Map(),
    ended: [],
    waitingUntil: undefined,
    staysOn: undefined
  }

  constructor(given: UpdateGiven) {
    this.given = given
    this.thread.addEventListener("message", ({ data }: MessageEvent<FromUpdate>) => this.hear(data))
    this.thread.addEventListener("error", () => this.finish(Problem.make({ error: "internal_error" })))
    document.addEventListener("visibilitychange", this.onVisibility)
    this.begin(given.resourceTypes)
  }

  readonly current = () => this.state

  readonly subscribe = (changed: () => void) => {
    this.listeners.add(changed)
    return () => void this.listeners.delete(changed)
  }

  /** Begins again: with these kinds, or with all that are not stored yet. */
  readonly again = (resourceTypes = this.given.resourceTypes) => this.begin(resourceTypes)

  /** Ends the update. What was not sent is forgotten, and its kinds are not named to the service. */
  readonly stop = () => {
    this.ask({ ask: "stop" })
    this.rest({ phase: "stopped" })
  }

  /** Ends the thread, so that nothing of the record and of the VA's token is left. */
  close() {
    document.removeEventListener("visibilitychange", this.onVisibility)
    this.listeners.clear()
    this.rest({})
    this.thread.terminate()
  }

  private begin(resourceTypes: ReadonlyArray<string>) {
    this.change({ phase: "running", end: undefined, ended: [] })
    void navigator.locks.request("update", { ifAvailable: true }, (lock) => {
      if (lock === null) return this.change({ phase: "elsewhere" })
      if (this.state.phase !== "running") return
      void this.screenLock.ask()
      this.start(resourceTypes)
      return new Promise<void>((unlock) => {
        this.unlock = unlock
      })
    })
  }

  private start(resourceTypes: ReadonlyArray<string>) {
    const task = { resourceTypes, begin: readBegin() }
    if (this.isSourceGiven) return this.ask({ ask: "again", task })
    this.renew((access) => {
      this.isSourceGiven = true
      this.ask({ ask: "start", source: { ...this.given.source, access }, task })
    })
  }

  private renew(then: (access: Access) => void) {
    this.stopRenewal()
    this.stopRenewal = run(
      patiently(this.given.renewed),
      (outcome) => outcome.is === "done" ? then(outcome.value) : this.finish(outcome.problem)
    )
  }

  private hear(message: FromUpdate) {
    if (this.state.phase !== "running") return
    switch (message.is) {
      case "kinds":
        return this.take(message.kinds)
      case "waiting":
        return this.change({ waitingUntil: message.until ?? undefined })
      case "stored":
        return writeBegin(readBegin() ?? message.at)
      case "renew":
        return this.renew((access) => this.ask({ ask: "access", access }))
      case "ended":
        return this.finish(outcomeOf(message.end))
    }
  }

  private take(changed: ReadonlyArray<KindProgress>) {
    const kinds = new Map(this.state.kinds)
    const ended = changed.filter(({ resourceType, step }) => {
      const before = kinds.get(resourceType)
      return isEnd(step) && before !== undefined && !isEnd(before.step)
    })
    for (const kind of changed) kinds.set(kind.resourceType, kind)
    this.change({ kinds, ended: [...this.state.ended, ...ended.map(({ resourceType }) => resourceType)] })
  }

  private finish(end: UpdateState["end"]) {
    if (end === "done") writeBegin(null)
    else this.ask({ ask: "stop" })
    this.rest({ phase: "ended", end })
  }

  /** Lets go of what an update holds while it runs. */
  private rest(part: Partial<UpdateState>) {
    this.stopRenewal()
    this.unlock()
    this.screenLock.release()
    this.change({ ...part, waitingUntil: undefined, staysOn: undefined })
  }

  private readonly onVisibility = () => {
    if (this.state.phase !== "running") return
    this.ask({ ask: document.visibilityState === "hidden" ? "hidden" : "shown" })
    if (document.visibilityState === "visible") void this.screenLock.ask()
  }

  private ask(message: ToUpdate) {
    this.thread.postMessage(message)
  }

  private change(part: Partial<UpdateState>) {
    this.state = { ...this.state, ...part }
    for (const changed of this.listeners) changed()
  }
}

const outcomeOf = (end: End) => end.how === "failed" ? Problem.make(end.failure) : end.how
