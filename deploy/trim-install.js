import { existsSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"

/**
 * The script `postinstall` of package.json. After an install without development packages it removes what packages
 * bring and the service never reads (docs/decisions/0015). It runs on the machine's own Node, from version 20.
 */
const packages = "node_modules"

/** The PDF writer reads two weights of each font (src/services/pdf/Typeface.ts). The packages have nine. */
const readWeights = ["400Regular", "700Bold"]

const entries = (...path) => {
  const folder = join(packages, ...path)
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

const otherWeights = () =>
  entries("@expo-google-fonts").flatMap((family) =>
    readdirSync(family).filter((name) => !readWeights.includes(name)).map((name) => join(family, name))
  ).filter((path) => statSync(path).isDirectory())

/** These headers serve to compile addons, and no package here compiles one. */
const headers = () => entries("node", "node_modules").map((node) => join(node, "include"))

/** This build of pdf-lib is for browsers. */
const browserBuilds = () => [join(packages, "pdf-lib", "dist")]

/** The packages of the AWS SDK have builds for bundlers and types beside the build that Node loads. */
const sdkBuilds = () =>
  ["@aws-sdk", "@aws", "@smithy"].flatMap((scope) =>
    entries(scope).flatMap((folder) => ["dist-es", "dist-types"].map((build) => join(folder, build)))
  )

const sourceMaps = () =>
  readdirSync(packages, { recursive: true }).filter((path) => path.endsWith(".map")).map((path) => join(packages, path))

if (process.env.npm_config_omit?.split(/\s+/).includes("dev") && existsSync(packages)) {
  for (const unread of [otherWeights, headers, browserBuilds, sdkBuilds, sourceMaps]) {
    for (const path of unread()) rmSync(path, { recursive: true, force: true })
  }
}
