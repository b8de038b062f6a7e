import { execFileSync, spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { openApp, openFolder } from "./support/App.ts"
import { asAdmin, call, randomAddress } from "./support/Client.ts"
import { isMissing } from "./support/Programs.ts"
import { until } from "./support/Until.ts"

const file = fileURLToPath(new URL("../deploy/alerts.yml", import.meta.url))

const rules = await readFile(file, "utf8")

const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name!)

/** Metrics that Prometheus itself makes, or a process with UPLOAD_URL alone (test/http/document/bucket-hangs.*). */
const ofOthers = ["up", "upload_bucket_errors_total"]

test("Each metric of the alert rules is one of the service's, with the labels that it has", async () => {
  const { service } = await openApp()
  const headers = { "x-forwarded-for": randomAddress() }
  for (let n = 0; n < 31; n++) await call(service, "POST", "/api/provider/login", { headers, body: "{" })
  const text = await until("the outbox and the disk were looked at", async () => {
    const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    return text.includes("outbox_oldest_seconds ") && text.includes("proofs_set_aside ") && text
  })
  const series = text.split("\n").filter((line) => !line.startsWith("#"))
  const used = [...rules.matchAll(/\b(\w+)\{job="vrss"([^}]*)\}/g)].map(([, name, labels]) => ({
    name: name!,
    labels: [...labels!.matchAll(/,(\w+)(=~|!?=)"([^"]*)"/g)].map(([, label, operator, value]) =>
      operator === "=" && label !== "route" && label !== "status" ? `${label}="${value}"` : `${label}="`
    )
  }))
  assert.isAtLeast(used.length, alerts.length)
  const missing = used.filter(({ labels, name }) =>
    !ofOthers.includes(name) &&
    !series.some((line) => /^\w+/.exec(line)![0] === name && labels.every((label) => line.includes(label)))
  )
  assert.deepStrictEqual(missing, [])
})

const noPromtool = isMissing("promtool")

/** Values at each minute of two hours, in promtool's notation: `a+bxn` is a, then n more, each greater by b. */
const always = (value: number) => `${value}x120`
const rising = (by: number) => `0+${by}x120`

const process = `job="vrss",instance="a:8080"`

const requests = (status: number, route = "/api/veteran/me") =>
  `http_request_duration_seconds_count{${process},method="GET",route="${route}",status="${status}"}`

const of = (metric: string, labels = "") => `${metric}{${process}${labels === "" ? "" : `,${labels}`}}`

/** What a sound process shows. The tests of single alerts replace some of it. */
const sound: Readonly<Record<string, string>> = {
  [of("up")]: always(1),
  [of("process_start_time_seconds")]: always(1),
  [requests(200)]: rising(600),
  [requests(503)]: rising(1),
  [requests(500)]: always(0),
  [requests(200, "/api/ready")]: rising(6),
  [of("database_errors_total", `class="57"`)]: always(0),
  [of("database_errors_total", `class="23"`)]: rising(50),
  [of("database_transactions_waiting", `pool="own"`)]: always(0),
  [of("database_transactions_running", `pool="own"`)]: always(9),
  [of("database_connections_max", `pool="own"`)]: always(9),
  [of("outbox_oldest_seconds")]: always(60),
  [of("outbox_deliveries_total", `outcome="given up"`)]: always(3),
  [of("one_time_codes_total", `outcome="not sent"`)]: always(1),
  [of("one_time_codes_total", `outcome="right"`)]: rising(3),
  [of("one_time_codes_total", `outcome="wrong"`)]: rising(1),
  [of("proof_drainer_lag_seconds")]: always(59),
  [of("proofs_set_aside")]: always(0),
  [of("proof_rows_missing")]: always(0),
  [of("proof_tree_leaves")]: rising(5),
  [of("signing_certificate_expires_seconds")]: always(2_600_000),
  [of("upload_disk_available_bytes")]: always(5e11),
  [of("upload_disk_bytes")]: always(1e12),
  [of("upload_bucket_errors_total", `reason="unavailable"`)]: always(4),
  [of("event_loop_delay_p99_seconds")]: always(0.02),
  [of("process_resident_memory_bytes")]: always(4e8),
  [of("http_held_bytes")]: always(1e8),
  [of("http_held_bytes_max")]: always(268_435_456),
  [of("http_connections")]: always(300),
  [of("http_connections_max")]: always(4000),
  [of("process_open_fds")]: always(400),
  [of("process_max_fds")]: always(8192),
  [of("syncs_waiting")]: always(1),
  [of("sync_places")]: always(3),
  [of("admin_refusals_total", `secret="missing"`)]: rising(20),
  [of("admin_refusals_total", `secret="wrong"`)]: always(2),
  [of("provider_logins_total", `credentials="right"`)]: rising(30),
  [of("provider_logins_total", `credentials="wrong"`)]: rising(6),
  [of("rate_limited_total", `limit="POST /api/provider/login"`)]: rising(2),
  [of("log_lines_dropped_total")]: always(7)
}

/** Minutes 0–59 as in the sound process, and then `values`. */
const after = (before: string, values: string) => `${before.replace("x120", "x59")} ${values.replace("x120", "x60")}`

const wrong: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  VrssDown: { [of("up")]: after(always(1), always(0)) },
  VrssGone: { [of("up")]: undefined },
  VrssRestarts: { [of("process_start_time_seconds")]: "1x90 2x4 3x4 4x20" },
  VrssInternalErrors: { [requests(500)]: "0x114 1x5" },
  VrssUnavailableAnswers: { [requests(503)]: rising(7) },
  VrssNotReady: { [requests(503, "/api/ready")]: after(always(0), rising(6)) },
  VrssDatabaseErrors: { [of("database_errors_total", `class="57"`)]: after(always(0), rising(1)) },
  VrssDatabasePoolFull: { [of("database_transactions_waiting", `pool="own"`)]: always(1) },
  VrssMailLate: { [of("outbox_oldest_seconds")]: rising(60) },
  VrssMailGivenUp: { [of("outbox_deliveries_total", `outcome="given up"`)]: after(always(3), always(4)) },
  VrssCodesNotSent: { [of("one_time_codes_total", `outcome="not sent"`)]: "1x114 2x5" },
  VrssProofsNotDrained: { [of("proof_drainer_lag_seconds")]: rising(60) },
  VrssProofsSetAside: { [of("proofs_set_aside")]: always(1) },
  VrssProofRowsMissing: { [of("proof_rows_missing")]: always(2) },
  VrssTreeWentBack: { [of("proof_tree_leaves")]: "0+5x80 300x39" },
  VrssCertificateEndsInMonth: { [of("signing_certificate_expires_seconds")]: always(2_591_000) },
  VrssCertificateEndsInWeek: { [of("signing_certificate_expires_seconds")]: always(-5) },
  VrssDiskNearlyFull: { [of("upload_disk_available_bytes")]: always(9e10) },
  VrssDiskFullInDays: { [of("upload_disk_available_bytes")]: "500000000000-100000000x120" },
  VrssBucketFails: { [of("upload_bucket_errors_total", `reason="unavailable"`)]: rising(1) },
  VrssEventLoopLate: { [of("event_loop_delay_p99_seconds")]: always(0.11) },
  VrssMemoryHigh: { [of("http_held_bytes")]: always(2.1e8) },
  VrssConnectionsNearLimit: { [of("process_open_fds")]: always(7000) },
  VrssSyncsWait: { [of("syncs_waiting")]: always(4) },
  VrssAdminSecretRefused: { [of("admin_refusals_total", `secret="wrong"`)]: after(always(2), rising(1)) },
  VrssSignInFlood: {
    [of("provider_logins_total", `credentials="wrong"`)]: rising(20),
    [of("provider_logins_total", `credentials="right"`)]: rising(1)
  },
  VrssCodesGuessed: { [of("one_time_codes_total", `outcome="wrong"`)]: rising(20) },
  VrssRateLimited: { [of("rate_limited_total", `limit="POST /api/provider/login"`)]: rising(30) },
  VrssLogLinesDropped: { [of("log_lines_dropped_total")]: "7x114 9x5" }
}

test("Each alert has a case in which it fires", () => {
  assert.deepStrictEqual(Object.keys(wrong).toSorted(), alerts.toSorted())
})

describe.skipIf(noPromtool)("The alert rules of deploy/alerts.yml (needs promtool)", () => {
  test("are rules that Prometheus takes", () => {
    assert.match(execFileSync("promtool", ["check", "rules", file], { encoding: "utf8" }), /SUCCESS: \d+ rules found/)
  })

  test("all stay silent for a sound process, and each alone fires for its own problem", async () => {
    const cases = [["none", {}] as const, ...Object.entries(wrong)].map(([name, changes]) => {
      const series = Object.entries({ ...sound, ...changes }).filter(([, values]) => values !== undefined)
      return {
        name,
        interval: "1m",
        input_series: series.map(([series, values]) => ({ series, values })),
        promql_expr_test: [{
          expr: `count by (alertname) (ALERTS{alertstate="firing"})`,
          eval_time: "119m",
          exp_samples: name === "none" ? [] : [{ labels: `{alertname="${name}"}`, value: 1 }]
        }]
      }
    })
    const folder = await openFolder()
    const tests = join(folder, "tests.yml")
    // YAML includes JSON.
    await writeFile(tests, JSON.stringify({ rule_files: [file], evaluation_interval: "1m", tests: cases }))
    const { status, stderr, stdout } = spawnSync("promtool", ["test", "rules", tests], { encoding: "utf8" })
    assert.strictEqual(status, 0, `${stdout}${stderr}`)
  })
})
