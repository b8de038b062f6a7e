import { afterAll, vi } from "vitest"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { openService } from "../support/App.ts"
import type { TestDatabase } from "../support/Database.ts"
import { runHaproxy } from "../web/Haproxy.ts"

/** Starts three processes of one service, and HAProxy, which gives each request to the next one. */
export const openThree = async (
  database: Pick<TestDatabase, "url" | "caCertificate">,
  settings: Record<string, string | undefined>
) => {
  const port = await freePort()
  const common = {
    ...settings,
    OAUTH_ISSUER: `https://localhost:${port}/api/oauth`,
    PROOF_SIGNING_KEY: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
  }
  // On a busy machine, each start alone takes most of its time limit.
  const start = () => openService(database, common)
  const processes = [await start(), await start(), await start()] as const
  const haproxy = await runHaproxy(processes.map(({ url }) => Number(new URL(url).port)), port)
  return { haproxy, processes }
}

/** HAProxy has a self-signed certificate. Other files run in the same worker, and must not trust it. */
export const trustHaproxy = () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
  afterAll(() => void vi.unstubAllEnvs())
}
