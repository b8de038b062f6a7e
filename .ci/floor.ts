import { createHash } from "node:crypto"

/**
 * Does a piece of fixed work, and prints the seconds of processor time that this process has taken. A piece takes three
 * times as long on some machines, at some hours, or beside other work. Therefore a tier's cost is told in pieces that
 * were done beside its tests (guard.ts).
 */
const rounds = 100

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
const { system, user } = process.cpuUsage()
console.log((system + user) / 1e6)
