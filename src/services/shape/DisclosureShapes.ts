import { Context, Effect, Layer } from "effect"
import { disclosing, type Disclosure, type DisclosureFilter } from "../../domain/Disclosure.ts"
import type { InvalidRequest } from "../../domain/Errors.ts"
import { type DisclosedEvent, disclosureEvent } from "../../domain/fhir/AuditEvent.ts"
import { purposeOf, type Reference, serviceReference } from "../../domain/fhir/Shapes.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { purposeNames } from "../../domain/ReleaseStatements.ts"
import { Actors } from "../../sql/Actor.ts"
import * as ShapeRepository from "../../sql/shape/ShapeRepository.ts"
import { Disclosures } from "../ledger/Disclosures.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { makePace } from "../platform/Pace.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import type { SignedAuthorization } from "../release/SignedAuthorization.ts"
import { outsiderReference } from "./ConsentShapes.ts"

/** A page of AuditEvents. */
interface EventBundle {
  readonly bundle: object
  readonly nextCursor: string | null
}

/** The circumstances of a disclosure that its event does not name. */
interface Circumstances {
  readonly purposes: ReadonlyMap<string, DisclosedEvent["purpose"]>
  readonly networks: ReadonlyMap<string, NonNullable<DisclosedEvent["destination"]["network"]>>
  readonly leafHashes: ReadonlyMap<string, string>
}

/** The accounting of disclosures (45 CFR 164.528) as FHIR AuditEvents, newest first. */
export class DisclosureShapes extends Context.Service<DisclosureShapes, {
  /** Reads a page, and writes the proof that the veteran took it. `next` makes the URL of the next page. */
  readonly exported: (
    veteranId: VeteranId,
    query: PageRequest & Pick<DisclosureFilter, "from" | "to">,
    next: (cursor: string) => string
  ) => Effect.Effect<EventBundle, InvalidRequest>
}>()("vrss/services/shape/DisclosureShapes") {
  static readonly layer = Layer.effect(
    DisclosureShapes,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const disclosures = yield* Disclosures
      const { fhirBase, publicUrl } = yield* Settings
      const service = serviceReference(publicUrl)
      const kinds = `${publicUrl}/api/openapi.json#/components/schemas/DisclosureKind`

      const circumstancesOf = Effect.fnUntraced(
        function*(veteranId: VeteranId, items: ReadonlyArray<Disclosure>) {
          yield* ShapeRepository.proveExport({})
          const ids = (of: (item: Disclosure) => string | false | undefined) => [
            ...new Set(items.flatMap((item) => of(item) || []))
          ]
          const rows = yield* ShapeRepository.circumstances(veteranId, {
            apps: ids(({ actor }) => actor.kind === "app" && actor.id),
            documents: ids(({ documentId, linkId }) => linkId !== undefined && documentId),
            grants: ids(({ grantId }) => grantId),
            links: ids(({ linkId }) => linkId),
            providers: ids(({ actor }) => actor.kind === "provider" && actor.id)
          })
          const hashes = yield* ShapeRepository.leafHashes(veteranId, items.map(({ id }) => id))
          const pace = makePace()
          const purposes = new Map<string, DisclosedEvent["purpose"]>(rows.grants.map(({ id, purpose }) => [
            id,
            { coding: purposeOf(undefined), text: purpose }
          ]))
          for (const { authorizationCiphertext, id } of rows.documents) {
            const place = placeOf("documents", "authorization_ciphertext", veteranId, id)
            const json = yield* crypto.openText(place, authorizationCiphertext)
            const { code, text } = (JSON.parse(json) as SignedAuthorization).purpose
            purposes.set(id, { coding: purposeOf(code), text: text ?? purposeNames[code] })
            yield* pace(json.length)
          }
          const networks = new Map<string, { readonly address: string; readonly type: "4" | "5" }>([
            ...rows.providers.map(({ email, id }) => [id, { address: email, type: "4" }] as const),
            ...rows.apps.map(({ id, redirectUris: [uri] }) => [id, { address: uri!, type: "5" }] as const)
          ])
          for (const { id, recipientEmailCiphertext } of rows.links) {
            const place = placeOf("secure_links", "recipient_email_ciphertext", veteranId, id)
            const address = yield* crypto.openText(place, recipientEmailCiphertext)
            networks.set(id, { address, type: "4" })
            yield* pace(address.length)
          }
          return {
            purposes,
            networks,
            leafHashes: new Map(hashes.map(({ id, leafHash }) => [id, Buffer.from(leafHash).toString("hex")]))
          }
        },
        (effect, veteranId) => asVeteran(veteranId)(effect)
      )

      return DisclosureShapes.of({
        exported: Effect.fn("DisclosureShapes.exported")(function*(veteranId, query, next) {
          const page = yield* disclosures.list(veteranId, { ...query, kind: disclosing })
          const items = page.items.filter(({ actor }) => actor.kind !== "veteran")
          const circumstances = yield* circumstancesOf(veteranId, items)
          const patient = { reference: `Patient/${veteranId}` }
          const entry = items.map((item) => ({
            fullUrl: `${fhirBase}/AuditEvent/${item.id}`,
            resource: disclosureEvent(eventOf(item, circumstances, { kinds, patient, source: service }))
          }))
          const bundle = {
            resourceType: "Bundle",
            id: newId(),
            type: "collection",
            timestamp: new Date().toISOString(),
            ...page.nextCursor !== null && { link: [{ relation: "next", url: next(page.nextCursor) }] },
            ...entry.length > 0 && { entry }
          }
          return { bundle, nextCursor: page.nextCursor }
        })
      })
    })
  )
}

const eventOf = (
  { actor, at, documentId, grantId, id, kind, linkId, summary }: Disclosure,
  { leafHashes, networks, purposes }: Circumstances,
  frame: Pick<DisclosedEvent, "kinds" | "patient" | "source">
): DisclosedEvent => ({
  ...frame,
  id,
  kind,
  at: at.toISOString(),
  purpose: purposes.get(linkId === undefined ? grantId ?? "" : documentId ?? "") ?? { coding: purposeOf(undefined) },
  destination: {
    who: whoOf(actor),
    name: actor.name,
    network: networks.get(linkId ?? actor.id ?? "")
  },
  what: {
    isDocument: documentId !== undefined,
    reference: documentId !== undefined
      ? { reference: `DocumentReference/${documentId}` }
      : grantId === undefined
      ? undefined
      : { reference: `Consent/${grantId}` },
    summary
  },
  leafHash: leafHashes.get(id)
})

const whoOf = ({ id, kind, name }: Disclosure["actor"]): Reference =>
  id === undefined
    ? { display: name ?? "A recipient whose link was removed" }
    : outsiderReference(kind === "app" ? "Device" : "Practitioner", id, name)
