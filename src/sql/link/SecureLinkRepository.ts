import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { DocumentId, LinkId, VeteranId } from "../../domain/Id.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { ActorTransaction } from "../Actor.ts"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"
import { asActor, option } from "../Rows.ts"

export const LinkStatus = Schema.Literals(["active", "disabled", "expired"])

const Via = Schema.Literals(["page", "app"])

export const LinkRow = Schema.Struct({
  id: LinkId,
  veteranId: VeteranId,
  /** The document, or null if it was deleted after the link was made. */
  documentId: Schema.NullOr(DocumentId),
  recipientName: Schema.String,
  recipientEmailCiphertext: Schema.Uint8Array,
  status: LinkStatus,
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  disabledAt: Schema.NullOr(Schema.Date),
  notifiedAt: Schema.NullOr(Schema.Date),
  openedAt: Schema.NullOr(Schema.Date),
  codeSentAt: Schema.NullOr(Schema.Date),
  viewedAt: Schema.NullOr(Schema.Date),
  smartHealthLink: Schema.Boolean,
  viewedVia: Schema.NullOr(Via),
  claimedRecipientCiphertext: Schema.NullOr(Schema.Uint8Array)
})

export type LinkRow = typeof LinkRow.Type

const RecipientRow = Schema.Struct({
  linkId: LinkId,
  veteranId: VeteranId,
  recipientEmailCiphertext: Schema.Uint8Array
})

/** Result of opening a link or requesting a code: the link that the token names, and the outcome (`status`). */
const StepRow = { ...RecipientRow.fields, status: Schema.String }

const OpenedRow = Schema.Struct({ ...StepRow, status: LinkStatus, expiresAt: Schema.Date })

const ChallengedRow = Schema.Struct({
  ...StepRow,
  status: Schema.Literals([...LinkStatus.literals, "limited"]),
  wait: Schema.Finite
})

const TriedRow = Schema.Struct({
  status: Schema.Literals(["disabled", "expired", "right", "wrong"]),
  attemptsLeft: Schema.Int
})

const BegunRow = Schema.Struct({
  status: Schema.Literals([...LinkStatus.literals, "running", "view_session_used", "view_session_expired",
    "not_sent_so_far"])
})

const StatusRow = Schema.Struct({ status: LinkStatus })

const SessionRow = Schema.Struct({ veteranId: VeteranId, linkId: LinkId, via: Via })

export type SessionRow = typeof SessionRow.Type

const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(`
    l.id, l.veteran_id, l.recipient_name, l.recipient_email_ciphertext, l.created_at, l.expires_at, l.disabled_at,
    l.notified_at, l.opened_at, l.code_sent_at, l.viewed_at, l.shl_hash is not null as smart_health_link, l.viewed_via,
    l.claimed_recipient_ciphertext, app.link_status(l) as status,
    case when not exists (
      select from kept_releases k where k.veteran_id = l.veteran_id and k.document_id = l.document_id
    ) then l.document_id end as document_id`)

interface NewLink {
  readonly id: LinkId
  readonly veteranId: VeteranId
  readonly documentId: DocumentId
  readonly recipientName: string
  readonly recipientEmailCiphertext: Uint8Array
  readonly recipientHash: Uint8Array
  readonly tokenHash: Uint8Array
  readonly hours: number
  readonly endsAt: Date
  /** What makes it a SMART Health Link. */
  readonly shl: ShlColumns | undefined
}

interface ShlColumns {
  readonly shlHash: Uint8Array
  readonly shlStorageKey: string
  readonly shlFileKey: Uint8Array
  readonly shlByteSize: number
  readonly shlSha256: Uint8Array
}

/** In a veteran's transaction: whether a link was made to this recipient, who is a keyed hash. */
export const isKnown = (veteranId: VeteranId, recipientHash: Uint8Array) =>
  asActor.value(Schema.Boolean, (sql) =>
    sql`select exists (
          select from secure_links where veteran_id = ${veteranId} and recipient_hash = ${recipientHash}
        ) as known`)

/** The link ends no later than its release, which ends at `endsAt`. */
export const insert = ({ endsAt, hours, shl, ...link }: NewLink) =>
  ActorTransaction.use((sql) =>
    sql`insert into secure_links (id, veteran_id, document_id, recipient_name, recipient_email_ciphertext,
          recipient_hash, token_hash, expires_at, shl_hash, shl_storage_key, shl_file_key, shl_byte_size, shl_sha256)
        values (${link.id}, ${link.veteranId}, ${link.documentId}, ${link.recipientName}, ${link.recipientEmailCiphertext},
          ${link.recipientHash}, ${link.tokenHash}, least(now() + make_interval(hours => ${hours}), ${endsAt}), ${
      shl?.shlHash ?? null
    },
          ${shl?.shlStorageKey ?? null}, ${shl?.shlFileKey ?? null}, ${shl?.shlByteSize ?? null}, ${
      shl?.shlSha256 ?? null
    })`
  )

/**
 * Takes the link's lock. Then spends a view session, or resumes the session's broken transfer at `resumeAt`. The status
 * is `active` if the transfer may begin. It is `running` if the previous transfer was told to end, but has not recorded
 * its end yet. Any other status is the reason for a refusal. `isGone` says that the previous transfer's process counts
 * as dead.
 */
export const beginTransfer = ({ isGone, resumeAt, sessionHash, size, transferId }: {
  readonly sessionHash: Uint8Array
  readonly transferId: string
  readonly resumeAt: number | null
  readonly size: number
  readonly isGone: boolean
}) =>
  Effect.map(
    asActor.one(BegunRow, (sql) =>
      sql`select app.begin_transfer(${sessionHash}, ${transferId}::uuid, ${resumeAt}::bigint, ${size}::bigint, ${isGone},
            ${linkLimits.viewSessionSeconds}::int, ${linkLimits.resumeSeconds}::int, ${linkLimits.resumeBytes}::int) as status`),
    ({ status }) =>
      status
  )

/** Keeps a link unchanged until the transaction ends. Returns false if the link is no longer live. */
export const hold = Effect.fnUntraced(function*(veteranId: VeteranId, linkId: LinkId) {
  const sql = yield* ActorTransaction
  yield* sql`select from secure_links where veteran_id = ${veteranId} and id = ${linkId} for share`
  // A second statement, so that its snapshot includes what the lock's last holder committed.
  const live = yield* sql`select from secure_links l
    where l.veteran_id = ${veteranId} and l.id = ${linkId} and app.link_status(l) = 'active'`
  return live.length > 0
})

export interface NewChallenge {
  readonly token: Uint8Array
  readonly challengeId: string
  readonly codeHash: Uint8Array
}

export const list = ({ after, limit, veteranId }: PageQuery & { readonly veteranId: VeteranId }) =>
  asActor.all(LinkRow, (sql) =>
    sql`select ${columns(sql)} from secure_links l
        where l.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or l.id < ${after ?? null})
        order by l.id desc limit ${limit}`)

const oneLink = (sql: SqlClient.SqlClient, veteranId: VeteranId, id: LinkId) =>
  sql`select ${columns(sql)} from secure_links l where l.veteran_id = ${veteranId} and l.id = ${id}`

/** In the veteran's transaction. */
export const findOwn = (veteranId: VeteranId, id: LinkId) =>
  asActor.option(LinkRow, (sql) => oneLink(sql, veteranId, id))

/** A link that has already ended stays unchanged. */
export const disable = (veteranId: VeteranId, id: LinkId) =>
  ActorTransaction.use((sql) =>
    sql`update secure_links l set status = 'disabled', disabled_at = clock_timestamp()
        where l.veteran_id = ${veteranId} and l.id = ${id} and l.status = 'active' and l.expires_at > clock_timestamp()`
  )

export const make = (sql: SqlClient.SqlClient) => ({
  find: (veteranId: VeteranId, id: LinkId) => option(LinkRow, oneLink(sql, veteranId, id)),
  /** Returns None if no link has this token. */
  open: (tokenHash: Uint8Array) => option(OpenedRow, sql`select * from app.open_link(${tokenHash})`),
  /** Returns None if no link has this token. */
  findRecipient: (tokenHash: Uint8Array) =>
    option(
      Schema.Struct({ ...RecipientRow.fields, recipientName: Schema.String, smartHealthLink: Schema.Boolean }),
      sql`select id as link_id, veteran_id, recipient_name, recipient_email_ciphertext,
            shl_hash is not null as smart_health_link
          from secure_links where token_hash = ${tokenHash}`
    ),
  /** Returns None if no link has this token. */
  challenge: ({ addressKey, challengeId, codeHash, token }: NewChallenge & { readonly addressKey: Uint8Array }) =>
    option(
      ChallengedRow,
      sql`select * from app.challenge_address(${token}, ${challengeId}::uuid, ${codeHash},
            ${linkLimits.resendSeconds}::int, ${linkLimits.codesPerHour}::int, ${addressKey},
            ${linkLimits.codesPerAddress}::int)`
    ),
  /** Returns None if no link has this token. */
  tryCode: ({ challengeId, codeHash, sessionHash, token }: NewChallenge & { readonly sessionHash: Uint8Array }) =>
    option(
      TriedRow,
      sql`select * from app.try_code(${token}, ${challengeId}::uuid, ${codeHash}, ${sessionHash},
            ${linkLimits.codeSeconds}::int, ${linkLimits.triesPerCode}::int, ${linkLimits.wrongCodesPerLink}::int)`
    ),
  findSession: (hash: Uint8Array) =>
    option(
      SessionRow,
      sql`select veteran_id, link_id, via from secure_link_view_sessions where session_hash = ${hash}`
    ),
  /** Returns None unless the session belongs to the link with this manifest. */
  findTicket: (shlHash: Uint8Array, hash: Uint8Array) =>
    option(
      SessionRow,
      sql`select s.veteran_id, s.link_id, s.via from secure_link_view_sessions s
          join secure_links l on l.veteran_id = s.veteran_id and l.id = s.link_id
          where s.session_hash = ${hash} and l.shl_hash = ${shlHash}`
    ),
  /** Returns None if no link has this view session, or if the session was swept. */
  statusOfSession: (hash: Uint8Array) =>
    option(
      StatusRow,
      sql`select app.link_status(l) as status from secure_link_view_sessions s
          join secure_links l on l.veteran_id = s.veteran_id and l.id = s.link_id where s.session_hash = ${hash}`
    ),
  noteNotified: (veteranId: VeteranId, id: LinkId) =>
    atEdge(sql`select app.note_notified(${veteranId}::uuid, ${id}::uuid)`),
  noteCodeSent: (veteranId: VeteranId, id: LinkId) =>
    atEdge(sql`select app.note_code_sent(${veteranId}::uuid, ${id}::uuid)`),
  /** Forgets a code that could not be sent, so that the recipient may request another immediately. */
  forgetChallenge: (veteranId: VeteranId, linkId: LinkId, challengeId: string) =>
    atEdge(sql`select app.forget_challenge(${veteranId}::uuid, ${linkId}::uuid, ${challengeId}::uuid)`),
  endTransfer: (veteranId: VeteranId, transferId: string, sentBytes: number, over: boolean) =>
    Effect.asVoid(
      atEdge(sql`select app.end_transfer(${veteranId}::uuid, ${transferId}::uuid, ${sentBytes}::bigint, ${over})`)
    )
})
