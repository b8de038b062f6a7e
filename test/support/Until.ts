import { setTimeout } from "node:timers/promises"

/** Repeats `condition` with growing pauses until it holds, and returns its value. */
export const until = async <A>(
  what: string | (() => string),
  condition: () => Promise<A | undefined | false>,
  milliseconds = 120_000
): Promise<A> => {
  const end = Date.now() + milliseconds
  for (let pause = 5;; pause = Math.min(pause * 1.2, 40)) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain until ${typeof what === "string" ? what : what()}`)
    await setTimeout(pause)
  }
}

/** Waits until a service's log has the words. They may arrive after the answer of the same request. */
export const logged = ({ output }: { readonly output: () => string }, words: string) =>
  until(`the log has: ${words}`, async () => output().includes(words))
