import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type ClientId, type GrantId, VeteranId } from "../../domain/Id.ts"
import { retention } from "../../domain/Retention.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { all, one, option } from "../Rows.ts"

const { after: knownFor } = retention["veterans' networks"]

const OpenRow = Schema.Struct({
  /** False if another browser began the request. */
  own: Schema.Boolean,
  /** True if the request is undecided and not too old. */
  open: Schema.Boolean,
  appName: Schema.String,
  privacyUrl: Schema.NullOr(Schema.String),
  redirectUri: Schema.String,
  scope: Schema.String,
  challenged: Schema.Boolean,
  /** Null until the person at the browser has proved to be this veteran. */
  veteran: Schema.NullOr(
    Schema.Struct({ id: VeteranId, callSign: Schema.String, resourceTypes: Schema.Array(Schema.String) })
  )
})

export type OpenRow = typeof OpenRow.Type

const ChallengedRow = Schema.Struct({
  status: Schema.Literals(["active", "limited", "ended"]),
  wait: Schema.Finite
})

const TriedRow = Schema.Struct({ status: Schema.Literals(["right", "wrong", "ended"]), attemptsLeft: Schema.Int })

const VouchedRow = Schema.Struct({ status: Schema.Literals(["right", "used", "ended"]) })

const DecidedRow = Schema.Struct({
  status: Schema.Literals(["granted", "full", "deletion", "denied", "ended"]),
  redirectUri: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String)
})

interface NewRequest {
  readonly hash: Uint8Array
  readonly cookieHash: Uint8Array
  readonly clientId: ClientId
  readonly redirectUri: string
  readonly scope: string
  readonly state: string
  readonly codeChallenge: string
}

/** Hashes of the two secrets by which the browser that began a request identifies it. */
export interface RequestHashes {
  readonly request: Uint8Array
  readonly cookie: Uint8Array
}

interface Challenge extends RequestHashes {
  /** Null stands for nobody, and all else is the same. No code counts for an address that was changed meanwhile. */
  readonly veteran: { readonly id: VeteranId; readonly email: string } | null
  readonly codeHash: Uint8Array
  readonly resendSeconds: number
  readonly network: Uint8Array
  readonly networkKey: Uint8Array
  readonly codesPerNetwork: number
  readonly addressKey: Uint8Array
  readonly codesPerAddress: number
}

interface Approval extends RequestHashes {
  /** The veteran who saw the page; nothing is approved if another one proved to be there meanwhile. */
  readonly veteranId: VeteranId
  readonly grantId: GrantId
  /** Null means every type. */
  readonly resourceTypes: ReadonlyArray<string> | null
  readonly categories: ReadonlyArray<SensitiveCategory>
  readonly scope: string
  readonly offline: boolean
  readonly accessSeconds: number
  readonly codeHash: Uint8Array
  readonly codeSeconds: number
  readonly perVeteran: number
  readonly perClient: number
}

export const make = (sql: SqlClient.SqlClient) => ({
  insert: (request: NewRequest) => all(Schema.Unknown, sql`insert into oauth_requests ${sql.insert({ ...request })}`),
  find: ({ cookie, request, requestSeconds }: RequestHashes & { readonly requestSeconds: number }) =>
    option(
      OpenRow,
      sql`select r.cookie_hash = ${cookie} as own, c.name as app_name, c.privacy_url, r.redirect_uri, r.scope,
            r.ended_at is null and c.disabled_at is null and
              r.created_at > clock_timestamp() - make_interval(secs => ${requestSeconds}) as open,
            r.code_made_at is not null as challenged,
            case when r.proved_at is not null then jsonb_build_object(
              'id', v.id,
              'callSign', v.call_sign,
              'resourceTypes', array(select jsonb_object_keys(v.fhir_sync_manifest))
            ) end as veteran
          from oauth_requests r join oauth_clients c on c.id = r.client_id left join veterans v on v.id = r.veteran_id
          where r.hash = ${request}`
    ),
  /** Returns at most two veterans: the caller lets neither in if two share the address. */
  veteransOf: (email: string) =>
    all(
      Schema.Struct({ id: VeteranId, email: Schema.String }),
      sql`select id, email from veterans where lower(email) = lower(${email}) and deleted_at is null limit 2`
    ),
  challenge: ({ codeHash, cookie, network, request, resendSeconds, veteran, ...limits }: Challenge) =>
    one(
      ChallengedRow,
      sql`select * from app.challenge_at_address(${request}, ${cookie}, ${veteran?.id ?? null}, ${
        veteran?.email ?? null
      }, ${codeHash}, ${resendSeconds}, ${network}, ${knownFor}::interval, ${limits.networkKey}, ${limits.codesPerNetwork}, ${limits.addressKey},
            ${limits.codesPerAddress})`
    ),
  forgetCode: (request: Uint8Array) => all(Schema.Unknown, sql`select app.forget_request_code(${request})`),
  tryCode: (
    { codeHash, codeSeconds, cookie, knownNetworks, network, request, tries }: RequestHashes & {
      readonly codeHash: Uint8Array
      readonly codeSeconds: number
      readonly tries: number
      readonly network: Uint8Array
      readonly knownNetworks: number
    }
  ) =>
    one(
      TriedRow,
      sql`select * from app.try_code_from_network(${request}, ${cookie}, ${codeHash}, ${codeSeconds}, ${tries},
            ${network}, ${knownNetworks})`
    ),
  vouch: (
    { assertion, cookie, endsAt, request, veteranId }: RequestHashes & {
      readonly veteranId: VeteranId
      readonly assertion: Uint8Array
      readonly endsAt: Date
    }
  ) =>
    one(
      VouchedRow,
      sql`select app.vouch_for_request(${request}, ${cookie}, ${veteranId}, ${assertion}, ${endsAt}) as status`
    ),
  approve: ({ categories, codeHash, cookie, grantId, request, resourceTypes, scope, ...rest }: Approval) =>
    one(
      DecidedRow,
      sql`select * from app.approve_request(${request}, ${cookie}, ${grantId}, ${resourceTypes}::text[],
            ${categories}::text[], ${scope}, ${rest.offline}, ${rest.accessSeconds}, ${codeHash}, ${rest.codeSeconds},
            ${rest.perVeteran}, ${rest.perClient}, ${rest.veteranId})`
    ),
  deny: ({ cookie, request }: RequestHashes) =>
    one(DecidedRow, sql`select * from app.deny_request(${request}, ${cookie})`),
  /** Returns the decision that was already made in this browser. */
  decided: ({ codeSeconds, cookie, request }: RequestHashes & { readonly codeSeconds: number }) =>
    option(DecidedRow, sql`select * from app.decided_request(${request}, ${cookie}, ${codeSeconds})`)
})
