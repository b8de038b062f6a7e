import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AdminActPage, AdminActQuery } from "../../domain/AdminAct.ts"
import { Deletion, EndedAccess, OperatorReason } from "../../domain/Deletion.ts"
import { PairingCode, VeteranIdentityList } from "../../domain/DeviceSession.ts"
import { Conflict, InvalidRequest, NotFound, ServiceUnavailable } from "../../domain/Errors.ts"
import { Id, SentProviderId, SentVeteranId } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import {
  AdministeredProvider,
  NewProvider,
  ProviderChange,
  ProviderPage,
  ProviderQuery
} from "../../domain/Provider.ts"
import { NewVeteran, Veteran, VeteranChange, VeteranPage, VeteranQuery } from "../../domain/Veteran.ts"
import { SignupPage } from "../../domain/WaitlistSignup.ts"
import { Accepted } from "../contract/Accepted.ts"
import { AdminAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"

const veteranParams = { id: SentVeteranId }

const ofVeteran = { params: veteranParams, error: NotFound } as const

const providerParams = { providerId: SentProviderId }

const switched = { params: providerParams, success: AdministeredProvider, error: NotFound } as const

const byExactly =
  "An e-mail address or number finds those who have exactly this one, in any letter case of the address."

export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("registerVeteran", "/veterans", {
      payload: NewVeteran,
      success: Veteran.pipe(HttpApiSchema.status(201)),
      error: Conflict
    })
      .annotate(OpenApi.Summary, "Register a veteran"),
    HttpApiEndpoint.get("veterans", "/veterans", { query: VeteranQuery, success: VeteranPage, error: InvalidRequest })
      .annotateMerge(told("List the veterans, or find one", byExactly)),
    HttpApiEndpoint.patch("changeVeteran", "/veterans/:id", {
      params: veteranParams,
      payload: VeteranChange,
      success: Veteran,
      error: [Conflict, NotFound]
    })
      .annotateMerge(told(
        "Change a veteran's e-mail address, call sign or number at the VA",
        "A new e-mail address is told to itself and to the old one, and codes that were mailed to the old one stop " +
          "working. A new number, as after a merge at the VA, ends all of the veteran's sessions."
      )),
    HttpApiEndpoint.post("makePairingCode", "/veterans/:id/pairing-code", {
      ...ofVeteran,
      success: PairingCode.pipe(HttpApiSchema.status(201))
    })
      .annotate(OpenApi.Summary, "Make a code that pairs a VA account with a veteran")
      .annotate(OpenApi.Description, "To be handed over in person. It works once, and ends the code before it."),
    HttpApiEndpoint.get("identities", "/veterans/:id/identities", { ...ofVeteran, success: VeteranIdentityList })
      .annotate(OpenApi.Summary, "List the VA accounts that open a veteran's record"),
    HttpApiEndpoint.post("removeIdentity", "/veterans/:id/identities/:identityId/remove", {
      params: { ...veteranParams, identityId: Id },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove a VA account of a veteran")
      .annotate(OpenApi.Description, "Ends all of the veteran's sessions, and mails the veteran."),
    HttpApiEndpoint.post("endAccess", "/veterans/:id/end-access", { ...ofVeteran, success: EndedAccess })
      .annotateMerge(told(
        "End all access to a veteran's record",
        "For a lost phone. Ends every session and token, and everything that is shared. Mails the veteran."
      )),
    HttpApiEndpoint.post("askDeletion", "/veterans/:id/deletion", {
      ...ofVeteran,
      payload: OperatorReason,
      success: Deletion.pipe(HttpApiSchema.status(202))
    })
      .annotateMerge(told(
        "Ask for a veteran's deletion",
        "Everything that is shared ends at once. After 72 hours the record is removed, unless it is cancelled. " +
          "Mails the veteran."
      )),
    HttpApiEndpoint.get("deletion", "/veterans/:id/deletion", { ...ofVeteran, success: Deletion })
      .annotate(OpenApi.Summary, "Read when a veteran is deleted"),
    HttpApiEndpoint.post("cancelDeletion", "/veterans/:id/deletion/cancel", {
      params: veteranParams,
      success: HttpApiSchema.NoContent.annotate({ description: "No deletion is asked for now" }),
      error: [Conflict, NotFound]
    })
      .annotate(OpenApi.Summary, "Cancel a veteran's deletion"),
    HttpApiEndpoint.post("registerProvider", "/providers", {
      payload: NewProvider,
      success: AdministeredProvider.pipe(HttpApiSchema.status(201)),
      error: [Conflict, InvalidRequest, ServiceUnavailable]
    })
      .annotateMerge(told("Register a provider", "Without a password, the provider is mailed a link to choose one.")),
    HttpApiEndpoint.get("providers", "/providers", {
      query: ProviderQuery,
      success: ProviderPage,
      error: InvalidRequest
    })
      .annotateMerge(told("List the providers, or find one", byExactly)),
    HttpApiEndpoint.patch("changeProvider", "/providers/:providerId", {
      params: providerParams,
      payload: ProviderChange,
      success: AdministeredProvider,
      error: [Conflict, NotFound]
    })
      .annotateMerge(told(
        "Change a provider's e-mail address, name, organization or NPI",
        "A new e-mail address is told to itself and to the old one. The provider stays signed in."
      )),
    HttpApiEndpoint.post("disableProvider", "/providers/:providerId/disable", switched)
      .annotateMerge(told("Disable a provider", "Ends the provider's sessions at once.")),
    HttpApiEndpoint.post("enableProvider", "/providers/:providerId/enable", switched)
      .annotate(OpenApi.Summary, "Enable a provider again")
      .annotate(OpenApi.Description, "Shares that neither expired nor were ended meanwhile work again."),
    HttpApiEndpoint.post("mailPasswordLink", "/providers/:providerId/password-link", {
      params: providerParams,
      success: Accepted,
      error: [Conflict, NotFound]
    })
      .annotate(OpenApi.Summary, "Mail a provider a link to choose a password")
      .annotate(OpenApi.Description, "It works once and for one hour, and ends the links before it."),
    HttpApiEndpoint.get("waitlist", "/waitlist", { query: PageRequest, success: SignupPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the waitlist"),
    HttpApiEndpoint.delete("removeSignup", "/waitlist/:signupId", {
      params: { signupId: Id },
      success: HttpApiSchema.NoContent.annotate({ description: "Removed" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove an address from the waitlist"),
    HttpApiEndpoint.get("acts", "/acts", { query: AdminActQuery, success: AdminActPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List what operators did")
      .annotate(OpenApi.Description, "The newest first. Each act has the name of the secret by which it was done."),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" }))
    })
      .annotate(OpenApi.Summary, "Read the metrics, for Prometheus")
  )
  .prefix("/api/admin")
  .pipe(guardedBy(AdminAuthorization))
  .annotateMerge(described("Operator", "For the operator of the service."))
{}
