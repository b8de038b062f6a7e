import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, test } from "vitest"
import { portal, type Site, veteran } from "../../../src/pages/Sites.ts"

/** The text of a site's scripts whose names match. */
const scripts = ({ folder }: Site, pattern: string) =>
  globSync(pattern, { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8")).join("\n")

test("Each site's thread knows the routes of its reader alone", () => {
  const [shared, own] = [portal, veteran].map((site) => scripts(site, "assets/RecordWorker-*.js"))
  assert.include(shared, "/api/provider/patients/")
  assert.notInclude(shared, "/api/veteran")
  assert.include(own, "/api/veteran/")
  assert.notInclude(own, "/api/provider")
})

test("Neither site has the record's words for the reader of the other", () => {
  const [shared, own] = [portal, veteran].map((site) => scripts(site, "assets/*.js"))
  for (const words of ["Ask the patient", "Show the FHIR source"]) {
    assert.include(shared, words)
    assert.notInclude(own, words)
  }
  for (const words of ["VA has none", "Dose not given by VA"]) {
    assert.include(own, words)
    assert.notInclude(shared, words)
  }
})
