import { Context, Effect, Layer, Metric } from "effect"
import { Settings } from "./Settings.ts"

/** What one request or answer keeps of the budget. */
export interface Hold {
  /** Makes it this many bytes instead of what it was. Answers false, and changes nothing, where there is no room. */
  readonly resize: (bytes: number) => boolean
  /** The same, though there be no room. */
  readonly take: (bytes: number) => void
  /** Gives all of it back, for good: once more does nothing, and nothing is taken any more. */
  readonly release: () => void
}

const kibibyte = 1024

/** What a socket's buffers take anyway. An error, a sign-in and `/health` are such: no crowd keeps them out. */
export const negligible = 4 * kibibyte

/** Up to this a body or an answer may use the last quarter too, which the large ones leave free. */
const small = 64 * kibibyte

/**
 * The one count of the bytes that requests and answers keep in memory: bodies from when their reading begins until their
 * handler is done, answers until their client's socket has taken them. Whoever holds much may not take what would
 * be left for others: nobody gets more than would remain free (a dynamic threshold, Choudhury and Hahne 1998), so that
 * a crowd of a few large holders never comes to the end of it.
 */
export class ByteBudget extends Context.Service<ByteBudget, {
  /** Opens a hold of no bytes; `holder` says for whom: who is signed in, or a client's address. */
  readonly open: (holder: string) => Hold
}>()("vrss/ByteBudget") {
  static readonly layer = Layer.effect(
    ByteBudget,
    Effect.gen(function*() {
      const { memoryBudget } = yield* Settings
      const context = yield* Effect.context<never>()
      const gauge = Metric.gauge("http_held_bytes", {
        description: "Bytes of bodies being received and of answers not yet taken"
      })
      gauge.updateUnsafe(0, context)
      yield* Metric.update(Metric.gauge("http_held_bytes_max", { description: "The most of them" }), memoryBudget)
      const holders = new Map<string, number>()
      let used = 0

      const add = (holder: string, bytes: number) => {
        used += bytes
        gauge.updateUnsafe(used, context)
        const held = (holders.get(holder) ?? 0) + bytes
        if (held === 0) holders.delete(holder)
        else holders.set(holder, held)
      }

      const fits = (holder: string, more: number, size: number) => {
        const usable = size <= small ? memoryBudget : memoryBudget * 3 / 4
        return (holders.get(holder) ?? 0) + more <= usable - used - more
      }

      return ByteBudget.of({
        open: (holder) => {
          let held = 0
          let released = false
          const become = (bytes: number) => {
            if (bytes !== held) add(holder, bytes - held)
            held = bytes
            return true
          }
          return {
            resize: (bytes) => {
              if (released) return false
              const counted = bytes <= negligible ? 0 : bytes
              return (counted <= held || fits(holder, counted - held, counted)) && become(counted)
            },
            take: (bytes) => void (released || become(bytes)),
            release: () => {
              become(0)
              released = true
            }
          }
        }
      })
    })
  )
}
