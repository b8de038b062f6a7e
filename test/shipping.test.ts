import { execFile } from "node:child_process"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, test } from "vitest"
import { differing, variables } from "../src/services/platform/Variables.ts"
import { openFolder } from "./support/App.ts"
import { production } from "./support/Production.ts"
import { isMissing } from "./support/Programs.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const text = (name: string) => readFile(join(root, name), "utf8")

describe("deploy/vrss.env.example", async () => {
  const lines = (await text("deploy/vrss.env.example")).split("\n")
  const entries = lines.flatMap((line) => {
    const [, off, name, value] = /^(#?)([A-Z_]+)=(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: value!, isOn: off === "" }]
  })
  const given = new Map(entries.filter(({ isOn }) => isOn).map(({ name, value }) => [name, value]))

  test("names only variables of the service, each once", () => {
    const known = new Set<string>(variables.map(({ name }) => name))
    const names = entries.map(({ name }) => name)
    assert.deepStrictEqual(names.filter((name) => !known.has(name)), [])
    assert.strictEqual(new Set(names).size, names.length)
  })

  test("has each variable that production requires, and no value for a secret", () => {
    const isSet = (name: string) => given.has(name)
    const required = variables.filter(({ requiredInProduction }) => requiredInProduction !== undefined)
    // UPLOAD_DIR is in the unit and the image, because both make the folder.
    assert.deepStrictEqual(required.map(({ name }) => name).filter((name) => !isSet(name)), ["UPLOAD_DIR"])
    const secrets = new Set<string>([...variables.filter(({ secret }) => secret === true).map(({ name }) => name)])
    assert.isTrue(differing.every((name) => secrets.has(name)))
    assert.deepStrictEqual(entries.filter(({ name, value }) => secrets.has(name) && value !== ""), [])
  })

  test("has values that production accepts", () => {
    for (const { name, rule } of variables) {
      const value = given.get(name)
      if (value === undefined || value === "") continue
      assert.isDefined(rule.parse(value, true), name)
    }
    assert.strictEqual(given.get("OAUTH_ISSUER"), production.OAUTH_ISSUER)
  })
})

const noSystemd = isMissing("systemd-analyze")

describe.skipIf(noSystemd)("The units for systemd (needs systemd-analyze)", () => {
  const run = promisify(execFile)

  /** Writes a unit whose program exists here, as systemd-analyze demands. */
  const unit = async (name: string) => {
    const file = join(await openFolder(), name)
    const program = /^ExecStart=(\S+)/m.exec(await text(`deploy/${name}`))![1]!
    assert.strictEqual(program, "/srv/vrss/node_modules/.bin/node")
    await writeFile(file, (await text(`deploy/${name}`)).replaceAll(program, process.execPath))
    return file
  }

  test.each(["vrss.service", "vrss-migrate.service"])("%s has no line that systemd doubts", async (name) => {
    const { stderr, stdout } = await run("systemd-analyze", ["verify", "--man=no", await unit(name)])
    // Units of the machine itself may be doubted, too.
    assert.deepStrictEqual(`${stdout}${stderr}`.split("\n").filter((line) => line.includes("vrss")), [])
  })

  test.each(["vrss.service", "vrss-migrate.service"])("%s is exposed by at most 2.0 of 10", async (name) => {
    const threshold = ["security", "--offline=true", "--threshold=20", await unit(name)]
    const { stdout } = await run("systemd-analyze", threshold)
    assert.match(stdout, /Overall exposure level for \S+: 1\.\d/)
  })
})

test("The units name files that exist in the release, and deploy/ is described in docs/operator.md", async () => {
  const page = await text("docs/operator.md")
  for (const name of await readdir(join(root, "deploy"))) {
    if (!/\.test\.ya?ml$/.test(name)) assert.include(page, name)
    for (const [, path] of (await text(`deploy/${name}`)).matchAll(/\.bin\/node (src\/\S+)/g)) await text(path!)
  }
})
