import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { availableParallelism } from "node:os"
import { promisify } from "node:util"

/**
 * Prints the seconds of processor time that a piece of fixed work takes. It is the average of as many processes at once
 * as there are processors. The work takes three times as long on some machines, or at some hours, as on others.
 * Therefore a tier's cost is told in such pieces (guard.ts).
 */
const rounds = 400

const work = () => {
  const items = Array.from(
    { length: 4_000 },
    (_, place) => ({ place, name: `item ${place}`, values: [place, "x", null] })
  )
  let hash = ""
  for (let round = 0; round < rounds; round++) {
    const text = JSON.stringify(items)
    hash = createHash("sha256").update(hash).update(text).digest("hex")
    const read: typeof items = JSON.parse(text)
    read.sort((one, other) => one.name < other.name ? 1 : -1)
    hash += read.filter(({ name }) => name.endsWith("9")).length
  }
}

if (process.argv[2] === "work") {
  work()
  const { system, user } = process.cpuUsage()
  console.log((system + user) / 1e6)
} else {
  const run = () => promisify(execFile)(process.execPath, [import.meta.filename, "work"])
  const outputs = await Promise.all(Array.from({ length: availableParallelism() }, run))
  console.log(outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0) / outputs.length)
}
