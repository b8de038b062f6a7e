import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, test } from "vitest"
import { openFolder } from "./support/App.ts"

const folder = await openFolder()

const git = (...words: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@a.example", ...words], {
    cwd: folder,
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
}

const commit = (subject: string) => git("commit", "--quiet", "--allow-empty", "-m", subject)

const check = () => spawnSync(join(folder, ".ci/subjects"), { encoding: "utf8" })

test("A subject may have 72 characters, and from the commit of the check on no more", () => {
  git("init", "--quiet")
  commit("a".repeat(80))
  mkdirSync(join(folder, ".ci"))
  copyFileSync(join(import.meta.dirname, "../.ci/subjects"), join(folder, ".ci/subjects"))
  git("add", ".ci/subjects")
  commit("b".repeat(80))
  assert.strictEqual(check().status, 0)
  commit("é".repeat(72))
  assert.strictEqual(check().status, 0)
  commit("c".repeat(73))
  const { status, stdout } = check()
  assert.strictEqual(status, 1)
  assert.match(stdout, /^[0-9a-f]+ c{73}\n$/)
})
