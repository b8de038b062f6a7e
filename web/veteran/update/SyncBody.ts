import type { FetchStatus } from "../../../src/domain/SyncState.ts"

/** A type that is loaded and waits to be sent. Its texts are let go. */
export interface LoadedType {
  readonly resourceType: string
  readonly status: FetchStatus
  /** The number of its resources. */
  readonly count: number
  /** The bytes that its list takes in a body before compression. */
  readonly bytes: number
  /** The compressed list, or the digest that stands in its place. A type without resources has neither. */
  readonly content: { readonly list: Blob } | { readonly digest: string } | undefined
}

/** The texts that become one piece of the stream that is compressed. */
const atOnce = 50

const encoder = new TextEncoder()

/** Compresses the pieces as a member of a gzip file. Members may follow each other (RFC 1952, 2.2). */
const member = (pieces: Iterable<string>): Promise<Blob> => {
  const iterator = pieces[Symbol.iterator]()
  const source = new ReadableStream<BufferSource>({
    pull: (controller) => {
      const { done, value } = iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    }
  })
  return new Response(source.pipeThrough(new CompressionStream("gzip"))).blob()
}

function* listOf(resourceType: string, texts: ReadonlyArray<string>) {
  yield `"${resourceType}":[`
  for (let at = 0; at < texts.length; at += atOnce) {
    yield (at === 0 ? "" : ",") + texts.slice(at, at + atOnce).join(",")
  }
  yield "]"
}

/** Compresses the list of a type's exact texts. */
export const compressed = (resourceType: string, texts: ReadonlyArray<string>) => member(listOf(resourceType, texts))

/** Puts a sync's compressed body together. No second copy of the lists is made. */
export const bodyOf = async (types: ReadonlyArray<LoadedType>): Promise<Blob> => {
  const statuses = Object.fromEntries(types.map(({ resourceType, status }) => [resourceType, status]))
  const unchanged = Object.fromEntries(
    types.flatMap(({ content, resourceType }) =>
      content !== undefined && "digest" in content ? [[resourceType, content.digest]] : []
    )
  )
  const lists = types.flatMap(({ content }) => content !== undefined && "list" in content ? [content.list] : [])
  const [head, between, end] = await Promise.all(
    [
      `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"unchanged":${JSON.stringify(unchanged)},"resources":{`,
      ",",
      "}}"
    ].map((text) => member([text]))
  )
  return new Blob([head!, ...lists.flatMap((list, index) => index === 0 ? [list] : [between!, list]), end!])
}
