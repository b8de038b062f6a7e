const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]

const letterN = 0x6e

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Number of bytes that one step reads. This takes less than a millisecond. */
const stepBytes = 64 * 1024

/** A search value has under 16 Ki characters, each at most six bytes in JSON (`\u0041`). Longer text cannot match. */
const maxTextLength = 6 * 16 * 1024

/** An object or array that is being read. `name` is undefined while a member is skipped. */
type OpenContainer = { readonly list: Array<unknown> } | {
  readonly object: Record<string, unknown>
  name: string | undefined
}

/**
 * Parses only the members of these names, step by step, because parsing a whole large resource would hold the event
 * loop for too long. Other members are skipped at any depth. Numbers, true and false become 0: no search compares them.
 * The bytes must be valid JSON, which was checked when they were stored.
 */
export function* searchedMembers(json: Uint8Array, names: ReadonlySet<string>): Generator<void, unknown> {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const open: Array<OpenContainer> = []
  let whole: unknown
  let depth = 0
  /** The depth of the member that is being skipped, or 0 if none is. */
  let past = 0
  let expectsValue = true
  let due = stepBytes

  const put = (value: unknown) => {
    const parent = open.at(-1)
    if (parent === undefined) whole = value
    else if ("list" in parent) parent.list.push(value)
    else parent.object[parent.name!] = value
    expectsValue = false
  }

  const textAt = (start: number, end: number, isEscaped: boolean): string => {
    if (end - start > maxTextLength) return ""
    return isEscaped ? JSON.parse(bytes.toString("utf8", start, end)) : bytes.toString("utf8", start + 1, end - 1)
  }

  for (let at = 0; at < bytes.length;) {
    if (at >= due) {
      due = at + stepBytes
      yield
    }
    const byte = bytes[at]!
    if (byte === quote) {
      const start = at++
      let isEscaped = false
      while (at < bytes.length) {
        const within = bytes[at++]
        if (within === quote) break
        if (within === backslash) {
          isEscaped = true
          at++
        }
        if (at >= due) {
          due = at + stepBytes
          yield
        }
      }
      if (past > 0) continue
      const parent = open.at(-1)
      if (parent === undefined || "list" in parent || parent.name !== undefined) put(textAt(start, at, isEscaped))
      else {
        const name = textAt(start, at, isEscaped)
        if (names.has(name)) [parent.name, expectsValue] = [name, true]
        else past = depth
      }
      continue
    }
    at++
    if (byte === openBrace || byte === openBracket) {
      depth++
      if (past > 0) continue
      const opened: OpenContainer = byte === openBracket ? { list: [] } : { object: {}, name: undefined }
      put("list" in opened ? opened.list : opened.object)
      open.push(opened)
      expectsValue = byte === openBracket
    } else if (byte === comma || byte === closeBrace || byte === closeBracket) {
      if (past === depth) past = 0
      if (past === 0) {
        const parent = open.at(-1)!
        if ("object" in parent) parent.name = undefined
        expectsValue = byte === comma
        if (byte !== comma) open.pop()
      }
      if (byte !== comma) depth--
    } else if (expectsValue && past === 0 && byte > space && byte !== colon) put(byte === letterN ? null : 0)
  }
  return whole
}
