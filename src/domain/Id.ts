import { Schema, SchemaTransformation } from "effect"

/** A UUID as this service writes it: in lower case. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An id in an answer. It was checked when it was made. */
export const AnsweredId = Schema.String.annotate({ format: "uuid" })

/** A UUID, in lower case once decoded. */
export const Id = AnsweredId.check(
  Schema.isPattern(new RegExp(uuid, "i"), { message: "Expected a UUID" })
).pipe(Schema.decode(SchemaTransformation.toLowerCase()))

/**
 * Ids are branded by what they name, so that the compiler refuses to mix them. To show the document of another veteran
 * is the worst that this service could do.
 */
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

/** The same id in a request, where it is checked. */
export const SentVeteranId = Id.pipe(Schema.brand("VeteranId"))

export const SentProviderId = Id.pipe(Schema.brand("ProviderId"))

export const SentDocumentId = Id.pipe(Schema.brand("DocumentId"))

export const SentLinkId = Id.pipe(Schema.brand("LinkId"))

export const SentGrantId = Id.pipe(Schema.brand("GrantId"))

export const SentClientId = Id.pipe(Schema.brand("ClientId"))

/** In a path, `me` means the token's own veteran. */
export const VeteranIdOrMe = Schema.Union([Schema.Literal("me"), SentVeteranId]).annotate({ examples: ["me"] })
