import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, test } from "vitest"
import { openApp } from "./support/App.ts"
import { adminSecret, exchangeSecret } from "./support/Service.ts"

const { service } = await openApp()

const demo = (...args: ReadonlyArray<string>) =>
  promisify(execFile)(process.execPath, [new URL("../src/demo.ts", import.meta.url).pathname, ...args], {
    cwd: service.directory,
    env: {
      ...process.env,
      VETERAN_SESSION_EXCHANGE_SECRET: exchangeSecret,
      INTERNAL_ADMIN_SECRET: adminSecret
    }
  })

describe("npm run demo", () => {
  test("plays the main job against a running service, from sync and consent to revoke and refusal", async () => {
    const { stdout } = await demo("--url", service.url)
    const lines = stdout.split("\n").map((line) => line.trim())
    const inOrder = [
      "Observation: page 1, 30 resources",
      "Observation: partial, 30 resources (30 of 76 arrived)",
      "Condition: unknown -> complete, 14 stored, 0 unchanged, 0 deactivated, 0 skipped",
      "Observation: unknown -> partial, 30 stored, 0 unchanged, 0 deactivated, 0 skipped",
      "Condition: complete, 14 items (14 on this page)",
      "Condition: unavailable, 0 resources (page 1: HTTP status 502)",
      "Condition: complete -> stale, 0 stored, 0 unchanged, 0 deactivated, 0 skipped",
      "Procedure: complete -> complete, 0 stored, 19 unchanged, 0 deactivated, 0 skipped",
      "! Condition: the data shown comes from the last complete sync; the most recent fetch was incomplete.",
      "the veteran's copy: .data/demo/release-of-information.pdf",
      "again: ViewSessionUsed: The document was sent under this view session already. Ask for a new code to see it again.",
      "release: revoked",
      "link: LinkDisabled",
      "ConsentRequired: No active consent grant of this veteran covers what is asked.",
      "== Done"
    ]
    let from = 0
    for (const expected of inOrder) {
      const at = lines.indexOf(expected, from)
      assert.isAtLeast(at, from, `'${expected}' in\n${stdout}`)
      from = at + 1
    }
    const release = await readFile(join(service.directory, ".data/demo/release-of-information.pdf"), "latin1")
    assert.match(release, /^%PDF-.*ETSI\.CAdES\.detached/s)
  })

  test("explains its options", async () => {
    const { stdout } = await demo("--help")
    assert.include(stdout, "--patients")
    assert.include(stdout, "--url")
  })
})
