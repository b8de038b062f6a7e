import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { generate } from "selfsigned"
import type { Site } from "../../src/pages/Sites.ts"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { blocksOf } from "../docs/Pages.ts"
import { atEnd, openFolder } from "../support/App.ts"
import { until } from "../support/Until.ts"

/** Debian installs nginx in a folder that only an administrator's PATH has. */
const program = "/usr/sbin/nginx"

export const noNginx = spawnSync(program, ["-v"]).status !== 0

const brotli = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"

/** Returns the nginx configuration that a section of docs/operator.md gives to the operator. */
export const documentedIn = (section: string) =>
  blocksOf("docs/operator.md").find((block) => block.section === section && block.language === "nginx")!.text.trimEnd()

type Changes = ReadonlyArray<readonly [string, string]>

/** Starts a real nginx on the documented lines of a site, with this machine's pages, and returns its address. */
export const openNginx = (lines: string, site: Site, api: string, own: Changes = []) =>
  startNginx(lines, [
    [/root \S+;/.exec(lines)![0], `root ${site.folder};`],
    ["set $api https://api.example.org;", `set $api ${api};`],
    ...own,
    ...(existsSync(brotli) ? [] : [["brotli_static on;", ""]] as const)
  ])

/** Starts a real nginx on lines of docs/operator.md, with this machine's port and certificate. Returns its address. */
export const startNginx = async (lines: string, own: Changes) => (await runNginx(lines, own)).url

/** As `startNginx`. Also returns its process and the folder where it may write. */
export const runNginx = async (lines: string, own: Changes) => {
  const folder = await openFolder()
  const port = await freePort()
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256"
  })
  const changes: Changes = [
    ["listen 443 ssl http2", `listen 127.0.0.1:${port} ssl http2`],
    [/\S+\.pem(?=;)/.exec(lines)![0], join(folder, "server.pem")],
    [/\S+\.key(?=;)/.exec(lines)![0], join(folder, "server.key")],
    ...own
  ]
  const server = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/operator.md has no '${from}'`)
    return text.replace(from, to)
  }, lines)
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  const configuration = `${existsSync(brotli) ? `load_module ${brotli};` : ""}
    daemon off;
    worker_processes 1;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
      ${server}
    }`
  const files = { "server.pem": cert, "server.key": key, "nginx.conf": configuration }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await mkdir(join(folder, "logs"))
  await chmod(folder, 0o755)
  const child = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], {
    stdio: "ignore"
  })
  const exited = once(child, "exit")
  atEnd(async () => {
    child.kill("SIGTERM")
    await exited
  })
  const listens = () =>
    new Promise<boolean>((tried) => {
      const socket = connect(port, "127.0.0.1", () => tried(true)).on("error", () => tried(false))
      socket.on("connect", () => socket.destroy())
    })
  await until("nginx listens", listens).catch((cause) => {
    throw new Error(readFileSync(join(folder, "error.log"), "utf8"), { cause })
  })
  return { url: `https://localhost:${port}`, folder, process: child }
}
