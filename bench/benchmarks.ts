import { bystanders } from "./bystanders.ts"
import { crowd } from "./crowd.ts"
import { pair, storage } from "./database.ts"
import type { Benchmark } from "./Figure.ts"
import { hostile } from "./hostile.ts"
import { links } from "./links.ts"
import { memory } from "./memory.ts"
import { health, me, view } from "./requests.ts"
import { firstPage, release, starts } from "./starts.ts"
import { largeSync, quiet, sync } from "./sync.ts"

/** The figures with goals, in the order of the table, by the names for --only. */
export const goals: Readonly<Record<string, Benchmark>> = {
  sync,
  health,
  me,
  view,
  release,
  starts,
  links,
  bystanders,
  crowd,
  "first-page": firstPage,
  "large-sync": largeSync,
  storage,
  pair,
  memory,
  quiet
}

export const benchmarks: Readonly<Record<string, Benchmark>> = { ...goals, hostile }
