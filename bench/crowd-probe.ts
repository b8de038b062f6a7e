import { setTimeout } from "node:timers/promises"

/** Requests each address repeatedly for some seconds, in a separate process, and prints the times as JSON. */
export interface Probe {
  readonly addresses: ReadonlyArray<string>
  readonly seconds: number
  /** Milliseconds between two requests of the same address. */
  readonly pause: number
  readonly headers: Record<string, string>
}

/** Times in milliseconds, and the number of answers other than 200. */
export type Times = Record<string, { readonly times: Array<number>; failures: number }>

const { addresses, headers, pause, seconds } = JSON.parse(process.argv[2]!) as Probe

const result: Times = {}

const ask = (address: string) =>
  fetch(address, { headers, signal: AbortSignal.timeout(10_000) })
    .then(async (answer) => (await answer.text()) !== "" && answer.status === 200, () => false)

// These requests are not counted, because a process's first request loads Node's HTTP client. It took 65 to 110 ms with
// a quiet service that otherwise answers in 15 ms.
for (const address of addresses) await ask(address)

const end = performance.now() + seconds * 1000

await Promise.all(addresses.map(async (address) => {
  const figures: Times[string] = result[address] = { times: [], failures: 0 }
  while (performance.now() < end) {
    const started = performance.now()
    const isGood = await ask(address)
    figures.times.push(performance.now() - started)
    if (!isGood) figures.failures++
    await setTimeout(pause)
  }
}))

console.log(JSON.stringify(result))
