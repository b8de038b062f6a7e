import { Schema, SchemaTransformation } from "effect"

/** A UUID as this service writes it: in lower case. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An id in a response. Its form is not checked, because the service created it. */
export const AnsweredId = Schema.String.annotate({ format: "uuid" })

/** A UUID in a request. Decoding turns it into lower case. */
export const Id = AnsweredId.check(
  Schema.isPattern(new RegExp(uuid, "i"), { message: "Expected a UUID" })
).pipe(Schema.decode(SchemaTransformation.toLowerCase()))

/** The compiler refuses to mix branded ids. A mix-up could show one veteran's document to another. */
export const VeteranId = AnsweredId.pipe(Schema.brand("VeteranId"))

export type VeteranId = typeof VeteranId.Type

export const ProviderId = AnsweredId.pipe(Schema.brand("ProviderId"))

export type ProviderId = typeof ProviderId.Type

export const DocumentId = AnsweredId.pipe(Schema.brand("DocumentId"))

export type DocumentId = typeof DocumentId.Type

export const LinkId = AnsweredId.pipe(Schema.brand("LinkId"))

export type LinkId = typeof LinkId.Type

export const GrantId = AnsweredId.pipe(Schema.brand("GrantId"))

export type GrantId = typeof GrantId.Type

/** The `client_id` of an app that the operator registered (RFC 6749, 2.2). */
export const ClientId = AnsweredId.pipe(Schema.brand("ClientId"))

export type ClientId = typeof ClientId.Type

/** A veteran's id in a request, where its form is checked. The schemas below do the same for other ids. */
export const SentVeteranId = Id.pipe(Schema.brand("VeteranId"))

export const SentProviderId = Id.pipe(Schema.brand("ProviderId"))

export const SentDocumentId = Id.pipe(Schema.brand("DocumentId"))

export const SentLinkId = Id.pipe(Schema.brand("LinkId"))

export const SentGrantId = Id.pipe(Schema.brand("GrantId"))

export const SentClientId = Id.pipe(Schema.brand("ClientId"))

/** In a path, `me` means the token's own veteran. */
export const VeteranIdOrMe = Schema.Union([Schema.Literal("me"), SentVeteranId]).annotate({ examples: ["me"] })
