import { setTimeout } from "node:timers/promises"

/** Asks again and again until `condition` holds, and answers what it found. */
export const until = async <A>(
  what: string,
  condition: () => Promise<A | undefined | false>,
  milliseconds = 25_000
): Promise<A> => {
  const end = Date.now() + milliseconds
  for (;;) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await setTimeout(5)
  }
}
