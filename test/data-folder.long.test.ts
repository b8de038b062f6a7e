import { chmod, mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { assert, test } from "vitest"
import { createLink } from "./http/link/Links.ts"
import { openApp, openFolder } from "./support/App.ts"
import { signInVeteran } from "./support/Client.ts"

const modesBelow = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map(({ name, parentPath }) => join(parentPath, name))]
  return Promise.all(paths.map(async (path) => {
    const stats = await stat(path)
    return [path.slice(folder.length), stats.isDirectory() ? "folder" : "file",
      (stats.mode & 0o777).toString(8)] as const
  }))
}

test("only the owner can read secrets, mails and keys in .data, wherever UPLOAD_DIR is", async () => {
  const { service } = await openApp({
    UPLOAD_DIR: join(await openFolder(), "uploads"),
    ROI_SIGNING_CERTIFICATE: undefined,
    ROI_SIGNING_KEY: undefined
  })
  const data = join(service.directory, ".data")
  await chmod(data, 0o755)
  await mkdir(join(data, "mail"), { mode: 0o755 })
  await createLink(service, await signInVeteran(service), { notifyRecipient: true })
  const modes = await modesBelow(data)
  assert.includeMembers(modes.map(([path]) => path), ["/signing/key.pem", "/signing/certificate.pem", "/mail"])
  assert.isTrue(modes.some(([path]) => path.endsWith(".eml")))
  for (const [path, kind, mode] of modes) assert.strictEqual(mode, kind === "folder" ? "700" : "600", path)
})
