import { ApiError } from "./Errors.ts"

export class TypeNotSupported extends ApiError<TypeNotSupported>()("TypeNotSupported", {
  code: "not_supported",
  status: 404,
  message: "FHIR R4 has no such resource type."
}) {}

export class NotAcceptable extends ApiError<NotAcceptable>()("NotAcceptable", {
  code: "not_acceptable",
  status: 406,
  message: "This service answers 'application/fhir+json' and no other format."
}) {}

export class TooCostly extends ApiError<TooCostly>()("TooCostly", {
  code: "too_costly",
  status: 400,
  message: "This type has over 20,000 items or 64 MiB, which is too much to sort: search without '_sort'."
}) {}
