import { bystanders } from "./bystanders.ts"
import { crowd } from "./crowd.ts"
import { documents } from "./documents.ts"
import { fhir } from "./fhir.ts"
import type { Benchmark } from "./Figure.ts"
import { firstPage } from "./first-page.ts"
import { hostile } from "./hostile.ts"
import { links } from "./links.ts"
import { lists } from "./lists.ts"
import { loop } from "./loop.ts"
import { memory } from "./memory.ts"
import { oauth } from "./oauth.ts"
import { pair } from "./pair.ts"
import { largePdf, pdf } from "./pdf.ts"
import { proofRows } from "./proof-rows.ts"
import { proofs } from "./proofs.ts"
import { quiet } from "./quiet.ts"
import { releases } from "./releases.ts"
import { revokes } from "./revokes.ts"
import { roi } from "./roi.ts"
import { health, me } from "./small.ts"
import { starts } from "./starts.ts"
import { storage } from "./storage.ts"
import { largeSync, sync } from "./sync.ts"
import { view } from "./view.ts"
import { web } from "./web.ts"
import { withheld } from "./withheld.ts"

/** All benchmarks, in the order of the table, by the names for --only. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  health,
  me,
  view,
  sync,
  roi,
  bystanders,
  links,
  memory,
  "proof-rows": proofRows,
  "large-sync": largeSync,
  fhir,
  oauth,
  documents,
  withheld,
  proofs,
  pdf,
  "large-pdf": largePdf,
  releases,
  loop,
  lists,
  crowd,
  hostile,
  web,
  revokes,
  quiet,
  starts,
  "first-page": firstPage,
  storage,
  pair
}
