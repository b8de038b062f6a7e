import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { classify } from "../../../src/services/record/SensitiveCodes.ts"
import { fixtures, readLines } from "../../support/Collection.ts"

/**
 * Compares the classifier with labels by people who read the resources (`classification-labels.tsv`). Precision is the
 * share of the resources marked by the classifier that are really protected. Recall is the share of the protected
 * resources that the classifier marks. A label's weight is its stratum's size divided by the number of samples from
 * that stratum. The figures therefore hold for all data.
 */
interface Label {
  readonly file: string
  readonly id: string
  readonly stratum: string
  readonly size: number
  readonly label: ReadonlyArray<string>
  readonly reason: string
}

const labels: ReadonlyArray<Label> = readFileSync(new URL("classification-labels.tsv", import.meta.url), "utf8").split(
  "\n"
)
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [file = "", id = "", stratum = "", size, label = "", reason = ""] = line.split("\t")
    return { file, id, stratum, size: Number(size), label: label === "none" ? [] : label.split("+"), reason }
  })

const resources = new Map(
  [...new Set(labels.map(({ file }) => file))].flatMap((file) =>
    readLines(join(fixtures, `${file}.ndjson.gz`)).map((text) => {
      const resource = JSON.parse(text)
      return [`${file} ${resource.id}`, resource] as const
    })
  )
)

const drawn = Map.groupBy(labels, ({ stratum }) => stratum)

const answers = labels.map((label) => {
  const resource = resources.get(`${label.file} ${label.id}`)
  if (resource === undefined) throw new Error(`${label.file} has no ${label.id}`)
  const weight = label.size / drawn.get(label.stratum)!.length
  return { ...label, weight, taken: classify(resource) as ReadonlyArray<string> }
})

const figures = (name: string, isTaken: (answer: Answer) => boolean, isProtected: (answer: Answer) => boolean) => {
  const part = (of: (answer: Answer) => boolean) => {
    const both = answers.filter((answer) => isTaken(answer) && isProtected(answer))
    const all = answers.filter(of)
    const sum = (some: ReadonlyArray<Answer>) => some.reduce((total, { weight }) => total + weight, 0)
    const ratio = all.length === 0 ? "   –" : (sum(both) / sum(all)).toFixed(3)
    return `${ratio} (${both.length} of ${all.length})`
  }
  console.log(`${name.padEnd(16)} precision ${part(isTaken).padEnd(20)} recall ${part(isProtected)}`)
}

type Answer = typeof answers[number]

console.log([...drawn].map(([stratum, { length }]) => `${stratum}: ${length}`).join(", "))

figures("any category", ({ taken }) => taken.length > 0, ({ label }) => label.length > 0)

for (const category of SensitiveCategory.literals) {
  figures(category, ({ taken }) => taken.includes(category), ({ label }) => label.includes(category))
}

for (const { file, id, label, reason, taken } of answers) {
  if (taken.join() !== label.join()) {
    console.log(`${file} ${id}: ${taken.join("+") || "none"}, labelled ${label.join("+") || "none"} (${reason})`)
  }
}
