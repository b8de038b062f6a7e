import { Context, Effect, Layer, Metric } from "effect"
import { Settings } from "./Settings.ts"

/** The bytes of the budget that one request or answer holds. */
export interface Hold {
  /** Changes the hold to `bytes`. Returns false and changes nothing if there is no room. */
  readonly resize: (bytes: number) => boolean
  /** Changes the hold to `bytes` even if there is no room. */
  readonly take: (bytes: number) => void
  /** Gives all bytes back. Later calls do nothing. */
  readonly release: () => void
}

const kibibyte = 1024

/** Answers of up to this many bytes do not count, so errors, sign-ins and `/health` do not depend on the budget. */
export const negligible = 4 * kibibyte

/** Bodies and answers up to this size may also use the last quarter of the budget, which large ones leave free. */
const small = 64 * kibibyte

/**
 * Counts the bytes that requests and answers keep in memory. A body counts from the start of its reading until its
 * handler is done. An answer counts until its client's socket has taken it. No holder gets more than would remain for
 * the others (a dynamic threshold, Choudhury and Hahne 1998). A few large holders therefore never use the budget up.
 */
export class ByteBudget extends Context.Service<ByteBudget, {
  /** Opens a hold of no bytes. `holder` is the user or the client's address. */
  readonly open: (holder: string) => Hold
}>()("vrss/services/platform/ByteBudget") {
  static readonly layer = Layer.effect(
    ByteBudget,
    Effect.gen(function*() {
      const { memoryBudget } = yield* Settings
      const context = yield* Effect.context<never>()
      const gauge = Metric.gauge("http_held_bytes", {
        description: "Bytes of bodies being received and of answers not yet taken"
      })
      gauge.updateUnsafe(0, context)
      yield* Metric.update(
        Metric.gauge("http_held_bytes_max", { description: "Limit of http_held_bytes" }),
        memoryBudget
      )
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
