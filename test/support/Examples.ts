/** Each example on a page is one block: a request, then its answer from the line that begins with `HTTP/1.1`. */
export interface Example {
  readonly line: number
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly answer: {
    readonly status: number
    readonly headers: Record<string, string>
    readonly body: string
  }
}

export const parseExamples = (page: string): ReadonlyArray<Example> =>
  [...page.matchAll(/^```http\n(.*?)^```$/gms)].map(({ 1: block, index }) => {
    const [request = "", answer = ""] = block!.split(/^HTTP\/1\.1 /m)
    const { first, ...sent } = parseMessage(request)
    const { first: status, ...answered } = parseMessage(answer)
    const [method = "", target = ""] = first.split(" ")
    return {
      line: page.slice(0, index).split("\n").length,
      method,
      target,
      ...sent,
      answer: { status: Number(status), ...answered }
    }
  })

const parseMessage = (message: string) => {
  const [head = "", ...body] = message.trimEnd().split("\n\n")
  const [first = "", ...lines] = head.split("\n")
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
  return { first, headers, body: body.join("\n\n") }
}

/** Parses the JSON of an answer. `…` stands for any value, and in an object for all members that are not shown. */
export const parseShown = (json: string): unknown =>
  JSON.parse(json.replaceAll(/: …/g, ": \"…\"").replaceAll(/([{,]\s*)…/g, "$1\"…\": \"…\""))

/** Knows the value of each `{name}` on a page. `elsewhere` provides the values that no earlier answer contains. */
export class Names {
  readonly #values = new Map<string, string>()
  readonly #elsewhere: (name: string) => Promise<string | undefined>

  constructor(elsewhere: (name: string) => Promise<string | undefined>) {
    this.#elsewhere = elsewhere
  }

  /** Replaces names by their values. */
  async fill(text: string): Promise<string> {
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) {
      const value = this.#values.get(name!) ?? await this.#elsewhere(name!)
      if (value === undefined) throw new Error(`No answer above tells what {${name}} is.`)
      this.#values.set(name!, value)
    }
    return text.replaceAll(/\{(\w+)\}/g, (_, name) => this.#values.get(name)!)
  }

  /** Lists where an answer differs from the page, and learns the value of each new name. */
  differences(shown: unknown, found: unknown, at = "answer"): ReadonlyArray<string> {
    if (shown === "…" && found !== undefined) return []
    if (typeof shown === "string" && typeof found === "string") {
      return this.#isLike(shown, found) ? [] : [`${at}: ${JSON.stringify(found)} instead of ${JSON.stringify(shown)}`]
    }
    if (Array.isArray(shown) && Array.isArray(found) && shown.length === found.length) {
      return shown.flatMap((item, index) => this.differences(item, found[index], `${at}[${index}]`))
    }
    if (isObject(shown) && isObject(found)) {
      const { "…": abridged, ...members } = shown
      const keys = Object.keys(abridged === undefined ? { ...members, ...found } : members)
      return keys.flatMap((key) => this.differences(members[key], found[key], `${at}.${key}`))
    }
    return shown === found ? [] : [`${at}: ${JSON.stringify(found)} instead of ${JSON.stringify(shown)}`]
  }

  #isLike(shown: string, found: string) {
    const learned: Array<string> = []
    const pattern = shown.split(/(\{\w+\}|…)/).map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (part === "…") return ".*"
      if (name === "time") return String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
      if (name === undefined || this.#values.has(name)) return RegExp.escape(this.#values.get(name ?? "") ?? part)
      learned.push(name)
      return "(.+)"
    })
    const match = new RegExp(`^${pattern.join("")}$`, "s").exec(found)
    learned.forEach((name, index) => match && this.#values.set(name, match[index + 1]!))
    return match !== null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
