import { setTimeout } from "node:timers/promises"

/** Asks for each path again and again for so many seconds, in a process of its own, and prints its times as JSON. */
export interface Probe {
  readonly url: string
  readonly seconds: number
  readonly paths: ReadonlyArray<string>
  readonly headers: Record<string, string>
}

/** Milliseconds, and what was no 200. */
export type Times = Record<string, { readonly times: Array<number>; failures: number }>

const { headers, paths, seconds, url } = JSON.parse(process.argv[2]!) as Probe

const result: Times = {}

const end = performance.now() + seconds * 1000

await Promise.all(paths.map(async (path) => {
  const figures: Times[string] = result[path] = { times: [], failures: 0 }
  while (performance.now() < end) {
    const started = performance.now()
    const isGood = await fetch(url + path, { headers, signal: AbortSignal.timeout(10_000) })
      .then(async (answer) => (await answer.text()) !== "" && answer.status === 200, () => false)
    figures.times.push(performance.now() - started)
    if (!isGood) figures.failures++
    // Below the limit of 600 reads a minute.
    await setTimeout(110)
  }
}))

console.log(JSON.stringify(result))
