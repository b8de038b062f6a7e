/** A server could not be reached, or failed. `code` is an error code of the system or an HTTP status. */
export class NoAnswer extends Error {
  readonly code: string
  constructor(code: string) {
    super(`no answer (${code})`)
    this.code = code
  }
}

const maxAnswerBytes = 256 * 1024

/** Limits the size of an answer, reads all of it within the caller's time limit, and follows no redirect. */
export const boundedFetch = async (url: string | URL, options: RequestInit): Promise<Response> => {
  try {
    const response = await fetch(url, { ...options, redirect: "manual" })
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel()
      throw new NoAnswer(`${response.status}`)
    }
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxAnswerBytes) throw new NoAnswer("too large")
      chunks.push(chunk)
    }
    return new Response(size === 0 ? null : Buffer.concat(chunks), {
      status: response.status,
      headers: response.headers
    })
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer(codeOf(error))
  }
}

/** Returns a code of the library or the system, and never free text from the network. */
export const codeOf = (error: unknown): string => {
  const { cause, code, name } = error as {
    readonly cause?: { readonly code?: unknown }
    readonly code?: unknown
    readonly name?: string
  }
  const codes = [cause instanceof NoAnswer ? cause.code : undefined, code, cause?.code, name]
  return codes.find((candidate) => typeof candidate === "string") ?? "unknown"
}
