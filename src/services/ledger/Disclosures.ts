import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Disclosure, DisclosureFilter, DisclosurePage } from "../../domain/Disclosure.ts"
import type { InvalidRequest } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { Actors, type ActorTransaction } from "../../sql/Actor.ts"
import type { EdgeError } from "../../sql/Connections.ts"
import * as DisclosureRepository from "../../sql/ledger/DisclosureRepository.ts"
import type { PageQuery } from "../../sql/Page.ts"
import { Crypto } from "../platform/Crypto.ts"
import { makePace } from "../platform/Pace.ts"
import { Paging } from "../platform/Paging.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { actorName, type Names, summary } from "./DisclosureWords.ts"
import { ProofEvent, providerOf, subjectOf, subjects } from "./ProofEvent.ts"
import { subjectHashes } from "./SubjectHashes.ts"

/** Lists for a veteran what happened to their record: who did what, when, and under which grant or link. */
export class Disclosures extends Context.Service<Disclosures, {
  readonly list: (
    veteranId: VeteranId,
    query: PageRequest & DisclosureFilter
  ) => Effect.Effect<typeof DisclosurePage.Type, InvalidRequest>
  /** Reads all kinds in the veteran's transaction, the newest first. */
  readonly all: (
    query: PageQuery & { readonly veteranId: VeteranId }
  ) => Effect.Effect<ReadonlyArray<Disclosure>, EdgeError, ActorTransaction>
}>()("vrss/services/ledger/Disclosures") {
  static readonly layer = Layer.effect(
    Disclosures,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const paging = yield* Paging
      const providerHash = crypto.keyedHash("proof-provider")
      const { hashOf } = yield* subjectHashes

      /** An event is clear text until the drainer encrypts it. An unreadable one is None, so that the others show. */
      const eventOf = Effect.fnUntraced(
        function*({ event, id, leafCiphertext, veteranId }: DisclosureRepository.EventRow) {
          if (leafCiphertext === null) return yield* decodeEvent(event)
          const leaf = yield* crypto.open(placeOf("proofs", "leaf_ciphertext", veteranId, id), leafCiphertext)
          return yield* decodeLeaf(leaf.toString())
        },
        Effect.option
      )

      const namesOf = Effect.fnUntraced(function*(veteranId: VeteranId, events: ReadonlyArray<ProofEvent>) {
        const ids = (of: (event: ProofEvent) => string | undefined) => [
          ...new Set(events.flatMap((event) => of(event) ?? []))
        ]
        const names = yield* DisclosureRepository.names(veteranId, {
          providers: ids(providerOf),
          apps: ids(({ clientId }) => clientId),
          links: ids(({ linkId }) => linkId)
        })
        const titles = yield* Effect.forEach(
          yield* DisclosureRepository.titles(veteranId, ids(({ documentId }) => documentId)),
          ({ id, title }) =>
            Effect.map(
              crypto.openText(placeOf("documents", "title", veteranId, id), title),
              (text) => [id as string, text] as const
            )
        )
        return {
          callSign: names.callSign,
          providers: new Map(names.providers.map(({ id, name }) => [id, name])),
          apps: new Map(names.apps.map(({ id, name }) => [id, name])),
          recipients: new Map(names.links.map(({ id, recipientName }) => [id, recipientName])),
          titles: new Map(titles)
        } satisfies Names
      })

      const opened = Effect.fnUntraced(
        function*(veteranId: VeteranId, rows: ReadonlyArray<DisclosureRepository.EventRow>) {
          const pace = makePace()
          const events: Array<Option.Option<ProofEvent>> = []
          for (const row of rows) {
            events.push(yield* eventOf(row))
            yield* pace(1024)
          }
          return { events, names: yield* namesOf(veteranId, events.flatMap(Option.toArray)) }
        }
      )

      const all: Disclosures["Service"]["all"] = Effect.fnUntraced(function*({ after, limit, veteranId }) {
        const rows = yield* DisclosureRepository.list({
          after,
          limit,
          veteranId,
          filter: {},
          providerHash: undefined,
          about: []
        })
        const { events, names } = yield* opened(veteranId, rows)
        return rows.map((row, index) => disclosureOf(row, events[index]!, names))
      })

      const list: Disclosures["Service"]["list"] = Effect.fn("Disclosures.list")(
        function*(veteranId, { cursor, limit, ...filter }) {
          const hash = filter.providerId === undefined ? undefined : providerHash(filter.providerId)
          const about = subjects.flatMap((subject) => {
            const id = filter[subject]
            return id === undefined ? [] : [{ subject, id, hash: hashOf(subject, id) }]
          })
          const list = `disclosures|${veteranId}|${JSON.stringify(filter)}`
          return yield* Effect.gen(function*() {
            const page = yield* paging.byId(
              list,
              { cursor, limit },
              (query) => DisclosureRepository.list({ ...query, veteranId, filter, providerHash: hash, about })
            )
            const { events, names } = yield* opened(veteranId, page.items)
            // A row without hashes is listed for every subject. Such a page may have fewer events than its limit.
            const items = page.items.flatMap((row, index) => {
              const event = events[index]!
              const isAbout = about.every(({ id, subject }) =>
                Option.exists(event, (one) => subjectOf(one, subject) === id)
              )
              return isAbout ? [disclosureOf(row, event, names)] : []
            })
            return { ...page, items }
          }).pipe(asVeteran(veteranId))
        }
      )

      return Disclosures.of({ list, all })
    })
  )
}

const decodeEvent = Schema.decodeUnknownEffect(ProofEvent)

const decodeLeaf = Schema.decodeEffect(Schema.fromJsonString(ProofEvent))

const disclosureOf = (
  { at, id, kind, treeIndex }: DisclosureRepository.EventRow,
  read: Option.Option<ProofEvent>,
  names: Names
): Disclosure => {
  if (Option.isNone(read)) return { id, kind, at, actor: { kind: "service" }, summary: unreadable, treeIndex }
  const { actor, confirmedAt, documentId, grantId, how, linkId, resourceTypes, shl, via } = read.value
  const name = actorName(read.value, names)
  return {
    id,
    kind,
    at,
    actor: { ...actor, ...(name === undefined ? {} : { name }) },
    summary: summary(kind, read.value, names),
    ...(resourceTypes === undefined ? {} : { resourceTypes }),
    ...(grantId === undefined ? {} : { grantId }),
    ...(documentId === undefined ? {} : { documentId }),
    ...(linkId === undefined ? {} : { linkId }),
    ...(how === undefined ? {} : { how }),
    ...(shl === undefined ? {} : { shl }),
    ...(via === undefined ? {} : { via }),
    ...(confirmedAt === undefined ? {} : { confirmedAt: new Date(confirmedAt) }),
    treeIndex
  }
}

const unreadable = "What this event says cannot be read. It may have been damaged or changed: please tell us."
