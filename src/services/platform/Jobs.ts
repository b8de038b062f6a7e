import { type Duration, Effect, Schedule } from "effect"
import { logTrouble } from "./Outage.ts"

/** What a process does again and again beside its requests. */
export interface Job<R = never> {
  /** Begins the log line of a run that failed. */
  readonly name: string
  readonly every: Duration.Input
  /** The time before the first run, if the job does not run at once. */
  readonly first?: Duration.Input
  readonly run: Effect.Effect<unknown, unknown, R>
}

/** Runs the job until the scope closes. A run that fails is retried at the next time. */
export const startJob = <R>({ every, first, name, run }: Job<R>) => {
  const runs = Effect.repeat(Effect.catchCause(run, logTrouble(name)), Schedule.spaced(every))
  return Effect.forkScoped(first === undefined ? runs : Effect.delay(runs, first))
}
