import { Effect, Exit, Layer, Scope } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import pg from "pg"
import { generate } from "selfsigned"
import type { TestProject } from "vitest/node"
import { forPg } from "../../src/layers/Connection.ts"
import { type Cluster, EmbeddedPostgres } from "../../src/postgres/EmbeddedPostgres.ts"
import { Migrations } from "../../src/sql/Migrations.ts"
import { clusterConnection, setDurability } from "./Database.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly cluster: Cluster
  }
}

/** Starts one real PostgreSQL cluster for the whole run, whose database `vrss` is migrated, and copied for each that a test asks for. */
export default async ({ provide }: TestProject) => {
  // A process of its own, for Vite has one configuration in a process, and here that is Vitest's.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL("../../web/build.ts", import.meta.url))])
  const directory = await mkdtemp(join(tmpdir(), "vrss-test-"))
  process.env["TEST_SIGNING"] = await makeSigning(directory)
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(EmbeddedPostgres.layer(directory), scope))
  const cluster = await Effect.runPromise(Effect.provideContext(EmbeddedPostgres, context))
  const owner = clusterConnection(cluster, "owner")
  await Effect.runPromise(
    Migrations.use((migrations) => migrations.apply()).pipe(
      Effect.provide(Migrations.layer({
        connection: forPg(owner),
        directory: fileURLToPath(new URL("../../migrations", import.meta.url))
      }))
    )
  )
  const client = new pg.Client(forPg(owner))
  await client.connect()
  await client.query("grant vrss_runtime to vrss_app")
  await client.end()
  await setDurability(cluster, "off")
  provide("cluster", cluster)
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(directory, { recursive: true, force: true })
  }
}

/** Each start without a certificate to sign with makes one, which takes a tenth of its time. Answers where this one is. */
const makeSigning = async (directory: string) => {
  const path = join(directory, "signing")
  const { cert, private: key } = await generate([{ name: "commonName", value: "Clinic" }], {
    keyType: "ec",
    // Log and doctor tell of one that ends within 30 days, or begins later than it is.
    notBeforeDate: new Date(Date.now() - 86_400_000),
    notAfterDate: new Date(Date.now() + 90 * 86_400_000)
  })
  await writeFile(`${path}.crt`, cert)
  await writeFile(`${path}.key`, key)
  return path
}
