import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { blocksOf } from "../docs/Pages.ts"
import { atEnd, openFolder } from "../support/App.ts"
import { localhostCertificate } from "../support/Certificates.ts"
import { isMissing } from "../support/Programs.ts"
import { until } from "../support/Until.ts"

export const noHaproxy = isMissing("haproxy")

/**
 * Starts HAProxy on the lines of docs/operator.md, with this machine's ports and certificate. Several targets get the
 * requests in turn, so that a test knows that each got some.
 */
export const runHaproxy = async (targets: number | ReadonlyArray<number>, at?: number) => {
  const folder = await openFolder()
  const port = at ?? await freePort()
  const { cert, private: key } = await localhostCertificate("localhost")
  const [first, ...others] = [targets].flat()
  const server = (name: string, target: number | undefined) => `server ${name} 127.0.0.1:${target} `
  const lines = blocksOf("docs/operator.md").find(({ language }) => language === "haproxy")!.text
  const changes = [
    ["log /dev/log local0", "log stdout format raw local0"],
    ["bind :443 ", `bind 127.0.0.1:${port} `],
    ["/etc/haproxy/api.example.org.pem", join(folder, "server.pem")],
    [server("one", 8080), server("one", first)],
    ...others.length === 0 ? [] : [["balance leastconn", "balance roundrobin"] as const]
  ] as const
  const configuration = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/operator.md has no '${from}'`)
    return text.replace(from, to)
  }, lines)
  const line = configuration.split("\n").find((line) => line.includes(server("one", first)))!
  const more = others.map((target, index) => line.replace(server("one", first), server(`more-${index + 1}`, target)))
  await writeFile(join(folder, "server.pem"), `${cert}\n${key}`, { mode: 0o600 })
  await writeFile(join(folder, "haproxy.cfg"), [configuration.trimEnd(), ...more, ""].join("\n"))
  const child = spawn("haproxy", ["-f", join(folder, "haproxy.cfg"), "-db"])
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
  const exited = once(child, "exit")
  atEnd(async () => {
    child.kill("SIGKILL")
    await exited
  })
  const url = `https://localhost:${port}`
  await until("HAProxy reaches its server", async () => {
    if (child.exitCode !== null) throw new Error(output)
    return fetch(`${url}/health`).then(({ ok }) => ok, () => false)
  })
  return { url, folder, certificate: join(folder, "server.pem"), process: child, output: () => output }
}
