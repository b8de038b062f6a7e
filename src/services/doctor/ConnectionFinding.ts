import { withoutTls } from "../../sql/OffersNoTls.ts"
import { refusal } from "./Finding.ts"

const closed =
  "A connection was taken and closed. A proxy that finds no primary does that: docs/operator.md, \"The primary is lost\"."

const remedies: Readonly<Record<string, string>> = {
  [withoutTls]:
    "Give the server a key and a certificate and set ssl = on, or, if a pooler answers there, its client_tls_sslmode.",
  ECONNREFUSED: "Nothing listens there: look at host and port, and whether the server runs (pg_isready).",
  ConnectionError: closed,
  ECONNRESET: closed,
  ENOTFOUND: "The host's name is not known: look at the URL and at DNS.",
  EAI_AGAIN: "The host's name cannot be looked up now: look at DNS.",
  ETIMEDOUT: "Nothing answers: look at the network, its rules, and whether the server is overloaded.",
  "28P01": "The password is not the role's: alter role ... password, or correct the URL (special characters as %XX).",
  "28000": "The server does not let this role in from here: look at pg_hba.conf.",
  "3D000": "There is no database of that name: create database ... owner vrss_owner.",
  "53300":
    "All connections are taken: raise max_connections, or find out which roles hold them (select usename, count(*) from pg_stat_activity group by 1).",
  "57P03": "The server is starting up or shutting down: wait, then look at its log.",
  "08P01":
    "A pooler between the service and PostgreSQL refuses the service's settings: docs/operator.md, \"Scaling out\"."
}

const certificate =
  "Name the PEM file of the server's authority in DATABASE_CA_CERT, and the server by the name in its certificate."

/** `code` comes from the driver or the system, or is an SQLSTATE. */
export const notConnected = (problem: string, code: string) =>
  refusal(
    problem,
    remedies[code] ?? (code.includes("CERT") ? certificate : `Look at the server's log for ${code}.`),
    "The service does not start; a running one answers 503. The doctor could not look at the database."
  )
