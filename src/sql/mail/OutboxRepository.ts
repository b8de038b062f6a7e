import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ClientId, GrantId, LinkId, VeteranId } from "../../domain/Id.ts"
import { atEdge } from "../Connections.ts"
import { all, one, option } from "../Rows.ts"

/** Somebody waits for these, and they work for some minutes. */
export const codeKinds = ["pairing_code", "email_code", "password_link"] as const

/** Thousands may be due at once: a day's notices, or a stranger's flood of sign-ups. */
export const noticeKinds = ["notice", "waitlist_joined"] as const

/** These tell a veteran what happened. */
export const veteranKinds = [
  "link_opened",
  "link_viewed",
  "link_locked",
  "app_connected",
  "app_replayed",
  "new_device",
  "identity_added",
  "identity_removed",
  "passkey_added",
  "passkey_removed",
  "veteran_email_changed",
  "access_ended",
  "deletion_asked",
  "deletion_cancelled",
  "deletion_done",
  "export_made",
  "notice"
] as const

export const mailKinds = [
  ...codeKinds,
  ...veteranKinds,
  "waitlist_joined",
  "provider_email_changed",
  "password_changed"
] as const

/** Messages to apps; the subject of each is a grant. */
export const webhookKinds = ["grant_revoked", "grant_expired", "record_updated"] as const

/** Whose turn a message waits for. */
type Lane = "codes" | "mails" | "notices" | "witness"

type OutboxKind = typeof mailKinds[number] | typeof webhookKinds[number] | "checkpoint_signed"

const message = {
  id: Schema.String,
  subjectId: Schema.String,
  /** Null for what is of no veteran: sign-ups, checkpoints and providers. */
  veteranId: Schema.NullOr(VeteranId),
  createdAt: Schema.Date,
  /** Includes the present attempt. */
  attempts: Schema.Int,
  /** Where it goes if not to its subject's present address. */
  address: Schema.NullOr(Schema.String),
  /** What it says besides. */
  facts: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
}

export interface OutboxMessage extends Schema.Struct.Type<typeof message> {
  readonly kind: OutboxKind
}

const OutboxRow = <Kind extends OutboxKind>(kinds: ReadonlyArray<Kind>) =>
  Schema.Struct({ ...message, kind: Schema.Literals(kinds) })

export type OutboxRow<Kind extends OutboxKind> = ReturnType<typeof OutboxRow<Kind>>["Type"]

const WebhookRow = Schema.Struct({
  ...message,
  kind: Schema.Literals(webhookKinds),
  subjectId: GrantId,
  clientId: Schema.NullOr(ClientId),
  /** Null if the app no longer takes messages, or the message no longer applies. */
  url: Schema.NullOr(Schema.String)
})

export type WebhookRow = typeof WebhookRow.Type

const WaitingRow = Schema.Struct({ mails: Schema.Int, oldestSeconds: Schema.Finite })

export type Waiting = typeof WaitingRow.Type

const AddressRow = Schema.Struct({ email: Schema.String })

const PasswordLinkRow = Schema.Struct({
  email: Schema.String,
  why: Schema.Literals(["registered", "forgotten", "operator"]),
  expiresAt: Schema.Date
})

export type PasswordLinkRow = typeof PasswordLinkRow.Type

const NoticedLinkRow = Schema.Struct({
  email: Schema.String,
  veteranId: VeteranId,
  linkId: LinkId,
  recipientEmailCiphertext: Schema.Uint8Array,
  /** False if the veteran wants no mails about looks. */
  wantsLooks: Schema.Boolean
})

const GrantedAppRow = Schema.Struct({ email: Schema.String, appName: Schema.String })

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns None if no message of this lane is due. `kinds` are the lane's (migrations/047). */
  taking: <Kind extends OutboxKind>(lane: Lane, kinds: ReadonlyArray<Kind>) =>
    option(
      OutboxRow(kinds),
      sql`select id, kind, subject_id, veteran_id, created_at, attempts, address, facts
          from app.take_from(${lane})`
    ),
  /** Holds this mail for `seconds`, with the others that wait to tell its veteran something. */
  hold: ({ id, veteranId }: OutboxMessage, seconds: number) =>
    atEdge(sql`select app.hold_mails(${veteranId}, ${id}, ${veteranKinds}::text[], ${seconds})`),
  /**
   * Returns the mails that are told in this one, the newest first. Its first try decides which: at most 1,000 of its
   * veteran's that were held and are due. Another process that tries it again tells the same ones.
   */
  joined: ({ attempts, id, veteranId }: OutboxMessage) =>
    all(
      OutboxRow(veteranKinds),
      sql`select id, kind, subject_id, veteran_id, created_at, attempts, address, facts
          from app.join_held(${id}, ${veteranId}, ${veteranKinds}::text[], ${attempts === 1 ? 1000 : 0})`
    ),
  /** Lets a mail go that was told in another one. It is then tried by itself. */
  part: ({ id, veteranId }: OutboxMessage) =>
    atEdge(sql`update outbox set joined_to = null, due_at = clock_timestamp()
               where veteran_id = ${veteranId} and id = ${id}`),
  /** Lets all mails go that were told in this one. The first of them that is tried tells the others. */
  partAll: ({ id, veteranId }: OutboxMessage) =>
    atEdge(sql`update outbox set joined_to = null, due_at = clock_timestamp(), attempts = 0
               where veteran_id = ${veteranId} and joined_to = ${id}`),
  /**
   * Takes one due message to an app that is not `busy`. A `record_updated` message makes the app read all changes. So
   * the grant's other `record_updated` messages that wait for another attempt are deleted. Unlike `clock_timestamp()`,
   * `statement_timestamp()` lets PostgreSQL use the index on `due_at` (migrations/013).
   */
  takeWebhook: (busy: ReadonlyArray<ClientId>) =>
    option(
      WebhookRow,
      sql`with due as (
            select o.id, c.id as client_id, case
              when c.disabled_at is null and c.webhook_gone_at is null and (o.kind <> 'record_updated' or g.status = 'active')
              then c.webhook_url end as url
            from outbox o left join consent_grants g on g.veteran_id = o.veteran_id and g.id = o.subject_id
              left join oauth_clients c on c.id = g.client_id
            where o.lane = 'apps' and o.due_at <= statement_timestamp()
              and (c.id is null or c.id <> all (${busy}::uuid[]))
            order by o.due_at limit 1 for update of o skip locked
          ), taken as (
            update outbox o set attempts = o.attempts + 1, due_at = clock_timestamp() + interval '5 minutes'
            from due where o.id = due.id
            returning o.*, due.client_id, due.url
          ), said_again as (
            delete from outbox o using taken
            where taken.kind = 'record_updated' and o.kind = 'record_updated' and o.subject_id = taken.subject_id
              and o.id <> taken.id and o.attempts > 0
          )
          select id, kind, subject_id, veteran_id, created_at, attempts, address, facts, client_id, url from taken`
    ),
  /**
   * Excludes messages to apps, because a receiver that is down for days is the app's own problem. Mails that were
   * held are late on purpose.
   */
  waiting: one(
    WaitingRow,
    sql`select count(*)::int as mails, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8
        as oldest_seconds from outbox where kind <> all (${webhookKinds}::text[]) and held_at is null`
  ),
  postpone: (id: string, seconds: number) =>
    atEdge(sql`update outbox set due_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = ${id}`),
  /** Removes a message, with the mails that are told in it. */
  remove: (id: string) => atEdge(sql`delete from outbox where id = ${id} or joined_to = ${id}`),
  /** Returns the veteran's address and the link's sealed recipient, or None if the link no longer exists. */
  linkOfNotice: (veteranId: VeteranId | null, linkId: string) =>
    option(
      NoticedLinkRow,
      sql`select v.email, l.veteran_id, l.id as link_id, l.recipient_email_ciphertext,
            app.wants_looks(v.id) as wants_looks
          from secure_links l join veterans v on v.id = l.veteran_id and v.deleted_at is null
          where l.veteran_id = ${veteranId} and l.id = ${linkId}`
    ),
  /** Returns None if the grant no longer exists. */
  appOfGrant: (veteranId: VeteranId | null, grantId: string) =>
    option(
      GrantedAppRow,
      sql`select v.email, c.name as app_name from consent_grants g
          join veterans v on v.id = g.veteran_id and v.deleted_at is null
          join oauth_clients c on c.id = g.client_id
          where g.veteran_id = ${veteranId} and g.id = ${grantId}`
    ),
  /** The veteran's address, or None if they no longer exist. */
  veteran: (veteranId: string) =>
    option(AddressRow, sql`select email from veterans where id = ${veteranId} and deleted_at is null`),
  /**
   * The address for a pairing's code. Returns None if there is nothing to mail, or no longer. Waits while the address
   * is being changed.
   */
  addresseeOfPairing: (veteranId: VeteranId | null, id: string) =>
    option(AddressRow, sql`select email from app.pairing_addressee(${veteranId}, ${id})`),
  /** Returns None if the link by which a password is chosen is nobody's, or works no longer. */
  passwordLink: (id: string) =>
    option(
      PasswordLinkRow,
      sql`select p.email, l.why, l.expires_at from provider_password_links l join providers p on p.id = l.provider_id
          where l.id = ${id} and l.expires_at > clock_timestamp() and p.disabled_at is null`
    ),
  provider: (id: string) => option(AddressRow, sql`select email from providers where id = ${id}`),
  /** The address for the code of a change of address. Returns None if there is nothing to mail, or no longer. */
  addresseeOfChange: (veteranId: VeteranId | null, id: string, codeSeconds: number) =>
    option(AddressRow, sql`select email from app.email_addressee(${veteranId}, ${id}, ${codeSeconds})`),
  /** Stops messages to an app whose receiver is gone for good. */
  endWebhook: (clientId: ClientId) =>
    atEdge(sql`update oauth_clients set webhook_gone_at = now() where id = ${clientId}`),
  /** Returns None if the sign-up no longer exists. */
  signup: (id: string) => option(AddressRow, sql`select email from waitlist_signups where id = ${id}`)
})
