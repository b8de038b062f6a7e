import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { atEnd, openApp, openFolder } from "./support/App.ts"
import { operatorInProcess } from "./support/OperatorInProcess.ts"
import { commands, json, operatorAt, operatorAtTerminal } from "./support/OperatorProgram.ts"
import { openPeople } from "./support/People.ts"
import { isMissing } from "./support/Programs.ts"
import { adminSecret } from "./support/Service.ts"

const { service } = await openApp()

const program = operatorAt(service)

const operator = operatorInProcess(service)

const { actsOf, newProvider } = openPeople(service)

describe("Each command of the program operator", () => {
  test.each(commands)("has a help with an example: %s", async (command) => {
    const { code, stderr, stdout } = await operator([...command.split(" "), "--help"])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.include(stdout, `operator ${command}`)
    assert.match(stdout, /EXAMPLES\n {2}# .+\n {2}operator /)
  })

  test("asks for no secret to show its help, and is told of one that is misspelt, with exit code 2", async () => {
    const help = await program(["veteran", "forget", "--help"], { OPERATOR_SECRET: undefined })
    assert.deepStrictEqual(help, await operator(["veteran", "forget", "--help"]))
    for (const args of [["provider", "frob"], ["veteran", "list", "--nobody"], ["acts", "--limit", "many"]]) {
      const { code, stderr, stdout } = await program(args)
      assert.deepStrictEqual([code, stdout], [2, ""], args.join(" "))
      assert.match(stderr, /See operator --help\.\n$/)
    }
  })
})

test("Lists are read in pages, or all at once", async () => {
  await Promise.all([newProvider(), newProvider(), newProvider()])
  const first = await operator(["provider", "list", "--limit", "2"])
  assert.lengthOf(first.stdout.trimEnd().split("\n"), 3)
  const [, cursor] = /^There are more: add --all, or --cursor (\S+)\n$/.exec(first.stderr)!
  const second = json(await operator(["provider", "list", "--limit", "1", "--cursor", cursor!, "--json"]))
  assert.lengthOf(second.items, 1)
  const all = json(await operator(["provider", "list", "--all", "--json"]))
  assert.isAtLeast(all.items.length, 3)
  assert.strictEqual(all.nextCursor, null)
})

describe("The secret", () => {
  test("is the environment's, and the first of several of the service's own variable", async () => {
    const environment = {
      OPERATOR_SECRET: undefined,
      INTERNAL_ADMIN_SECRET: `anna:${adminSecret},bob:${"x".repeat(32)}`
    }
    assert.strictEqual((await program(["provider", "list"], environment)).code, 0)
    const missing = await program(["provider", "list"], { OPERATOR_SECRET: undefined })
    assert.deepStrictEqual([missing.code, missing.stderr.split(":")[0]], [2, "OPERATOR_SECRET is missing"])
    const wrong = await program(["provider", "list"], { OPERATOR_SECRET: "canary" })
    assert.strictEqual(wrong.code, 5)
    assert.match(wrong.stderr, /does not know this secret\. Set OPERATOR_SECRET to one of its INTERNAL_ADMIN_SECRET/)
    assert.notInclude(wrong.stderr, "canary")
  })

  test.each(["http://api.example.org", "http://10.0.0.1:8080", "http://localhost.example.org", "ftp://localhost",
    "http://user:word@localhost", "localhost:8080", "http://localhost?x=y"])(
      "is not sent to %s",
      async (url) => {
        const { code, stdout } = await program(["provider", "list", "--url", url])
        assert.deepStrictEqual([code, stdout], [2, ""])
      }
    )

  test("may go to this machine by each of its names", async () => {
    const { port } = new URL(service.url)
    for (const url of [`http://127.0.0.1:${port}`, `http://localhost:${port}/`, undefined]) {
      const args = ["provider", "list", "--limit", "1", ...(url === undefined ? [] : ["--url", url])]
      assert.strictEqual((await program(args, { OPERATOR_URL: undefined, PORT: port })).code, 0, url)
    }
  })
})

describe("What cannot be undone", () => {
  const steps = [["provider", "disable", "x"], ["veteran", "end-access", "x"], ["veteran", "remove-identity", "x", "y"],
    ["veteran", "forget", "x", "--reason", "y"], ["waitlist", "remove", "x"]]

  test.each(steps)(
    "is refused without a terminal and without --yes, before anything is sent: %s %s",
    async (...args) => {
      assert.deepStrictEqual(await operatorInProcess({ url: "http://127.0.0.1:9" })(args), {
        code: 2,
        stdout: "",
        stderr: "This cannot be undone, and nobody is there to confirm it. Add --yes to do it anyway.\n"
      })
    }
  )

  const noScript = isMissing("script")

  test.skipIf(noScript)("is done at a terminal if the person is typed, and not otherwise (needs script)", async () => {
    const { email, id } = await newProvider()
    for (const typed of ["yes", "", `${email}x`]) {
      const { code, stdout } = await operatorAtTerminal(service, ["provider", "disable", id], typed)
      assert.strictEqual(code, 2, stdout)
      assert.include(stdout, "Nothing was done.")
    }
    assert.deepStrictEqual(await actsOf(id), ["provider_registered"])
    const { code, stdout } = await operatorAtTerminal(service, ["provider", "disable", email], email)
    assert.strictEqual(code, 0, stdout)
    assert.include(stdout, `Type ${email} to go on: `)
    assert.deepStrictEqual(await actsOf(id), ["provider_disabled", "provider_registered"])
  })

  test.skipIf(noScript)("leaves a table within the terminal's width, with whole ids (needs script)", async () => {
    const { email, id } = await newProvider({ displayName: "白".repeat(60), organization: "x".repeat(150) })
    const { stdout } = await operatorAtTerminal(service, ["provider", "list", "--email", email], "")
    const lines = stdout.split(/\r?\n/).filter((line) => /^(ID|[0-9a-f]{8}-)/.test(line))
    assert.lengthOf(lines, 2)
    assert.isTrue(lines[1]!.startsWith(id))
    for (const line of lines) assert.isAtMost([...line].reduce((sum, letter) => sum + (letter === "白" ? 2 : 1), 0), 80)
  })
})

describe("A service that answers as the contract says", async () => {
  interface Seen {
    readonly method: string | undefined
    readonly url: string | undefined
    readonly secret: unknown
    readonly body: string
  }

  /** Opens a service with these answers, and returns the commands for it and what it was asked. */
  const stub = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const seen: Array<Seen> = []
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => body += text).on("end", () => {
        seen.push({
          method: request.method,
          url: request.url,
          secret: request.headers["x-internal-admin-secret"],
          body
        })
        answer(request, response)
      })
    }).listen(0, "127.0.0.1")
    await new Promise((listening) => server.once("listening", listening))
    atEnd(() => server.close())
    return { seen, operator: operatorInProcess({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) }
  }

  const answering = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
    stub((_, response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
    })

  const id = randomUUID()

  test.each(
    [
      [["provider", "password-link", id], 202, { status: "accepted" }, ["POST",
        `/api/admin/providers/${id}/password-link`, ""]],
      [["veteran", "end-access", id, "--yes"], 200, { sessions: 1, grants: 2, apps: 3, links: 4, releases: 5 }, ["POST",
        `/api/admin/veterans/${id}/end-access`, ""]],
      [["veteran", "forget", id, "--reason", "ticket 4711", "--yes"], 202, { endsAt: "2026-11-29T12:00:00.000Z" }, [
        "POST",
        `/api/admin/veterans/${id}/deletion`,
        `{"reason":"ticket 4711"}`
      ]],
      [["veteran", "deletion", id], 200, { endsAt: "2026-11-29T12:00:00.000Z" }, ["GET",
        `/api/admin/veterans/${id}/deletion`, ""]],
      [["veteran", "cancel-forget", id], 204, undefined, ["POST", `/api/admin/veterans/${id}/deletion/cancel`, ""]]
    ] as const
  )("is asked as it says: %s", async (args, status, body, [method, url, sent]) => {
    const { operator, seen } = await answering(status, body)
    const { code, stderr, stdout } = await operator(args)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.deepStrictEqual(seen, [{ method, url, secret: adminSecret, body: sent }])
    for (const [name, value] of Object.entries(body ?? {})) {
      if (typeof value === "number") assert.match(stdout, new RegExp(`^${name.toUpperCase()} +${value}$`, "m"))
      if (name === "endsAt") assert.strictEqual(stdout, "IS FORGOTTEN AT  2026-11-29 12:00Z\n")
    }
    assert.strictEqual((await operator([...args, "--json"])).stdout, `${JSON.stringify(body ?? {})}\n`)
  })

  test("registers a provider without a password", async () => {
    const { operator, seen } = await answering(201, { id, email: "a@b.example", displayName: "A", organization: "B" })
    const args = ["provider", "add", "--email", "a@b.example", "--name", "A", "--organization", "B"]
    assert.strictEqual((await operator(args)).code, 0)
    assert.strictEqual(seen[0]!.body, `{"email":"a@b.example","displayName":"A","organization":"B"}`)
  })

  const error = (code: string, message: string) => ({ error: code, message, requestId: "a-request" })

  test.each([
    [429, { ...error("rate_limited", "Too many requests."), retryAfterSeconds: 77 }, 5, /wait 77 seconds/],
    [503, error("service_unavailable", "The service cannot reach something it needs."), 1,
      /cannot reach.*\(a-request\)/],
    [409, error("deletion_pending", "This record is about to be deleted."), 4, /^This record is about to be deleted\./],
    [404, error("not_found", "There is no such resource."), 3, /has no such person or thing/],
    [302, "", 1, /is not this service/],
    [200, "<html>", 1, /is not this service/]
  ])("gets its refusal told: %i", async (status, body, expected, words) => {
    const { operator, seen } = await answering(status, body, { location: "https://elsewhere.example/" })
    const { code, stderr, stdout } = await operator(["veteran", "end-access", id, "--yes"])
    assert.deepStrictEqual([code, stdout, seen.length], [expected, "", 1])
    assert.match(stderr, words)
    assert.notInclude(stderr, adminSecret)
  })

  const zip = Buffer.alloc(3_000_000, "an export, which is no real ZIP file ")

  const exported = async (answer: (response: ServerResponse) => void) => {
    const folder = await openFolder()
    const { operator, seen } = await stub((_, response) => {
      response.writeHead(200, { "content-type": "application/zip" })
      answer(response)
    })
    const out = join(folder, "eagle.zip")
    const run = (...more: ReadonlyArray<string>) =>
      operator(["veteran", "export", id, "--reason", "letter", "--out", out, ...more])
    return { folder, out, run, seen }
  }

  test("is exported into a file that only its owner may read, and that replaces none unasked", async () => {
    const { folder, out, run, seen } = await exported((response) => response.end(zip))
    assert.deepStrictEqual(await run(), { code: 0, stdout: `${out}: 3000000 bytes\n`, stderr: "" })
    assert.deepStrictEqual(seen, [{
      method: "POST",
      url: `/api/admin/veterans/${id}/export`,
      secret: adminSecret,
      body: `{"reason":"letter"}`
    }])
    assert.isTrue(readFileSync(out).equals(zip))
    assert.strictEqual(statSync(out).mode & 0o777, 0o600)
    writeFileSync(out, "kept")
    const refused = await run()
    assert.deepStrictEqual([refused.code, refused.stdout, seen.length], [2, "", 1])
    assert.match(refused.stderr, /is there already\. Name another file, or add --yes to replace it\.\n$/)
    assert.strictEqual(readFileSync(out, "utf8"), "kept")
    assert.strictEqual((await run("--yes")).code, 0)
    assert.isTrue(readFileSync(out).equals(zip))
    assert.deepStrictEqual(readdirSync(folder), ["eagle.zip"])
  })

  test("leaves no file if the answer is cut, refused, or the file came meanwhile", async () => {
    const cut = await exported((response) => response.write(zip, () => response.destroy()))
    const { code, stderr } = await cut.run()
    assert.strictEqual(code, 1)
    assert.match(stderr, /^The answer of .* was cut\. Try again\.\n$/)
    assert.deepStrictEqual(readdirSync(cut.folder), [])
    const refusing = await openFolder()
    const { operator } = await answering(429, { ...error("rate_limited", "Too many."), retryAfterSeconds: 9 })
    const args = ["veteran", "export", id, "--reason", "letter", "--out", join(refusing, "eagle.zip")]
    assert.strictEqual((await operator(args)).code, 5)
    assert.deepStrictEqual(readdirSync(refusing), [])
    const raced = await exported((response) => {
      writeFileSync(raced.out, "kept")
      response.end(zip)
    })
    assert.strictEqual((await raced.run()).code, 2)
    assert.strictEqual(readFileSync(raced.out, "utf8"), "kept")
    assert.isFalse(existsSync(`${raced.out}.part`))
  })
})

test("Without a service, the program says so and names how to find one", async () => {
  assert.deepStrictEqual(await operatorAt({ url: "http://127.0.0.1:9" })(["acts"]), {
    code: 1,
    stdout: "",
    stderr: "No service answers at http://127.0.0.1:9. Is it running? Name another by --url or OPERATOR_URL.\n"
  })
})
