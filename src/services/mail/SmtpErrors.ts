import type { NodemailerError } from "nodemailer"

type SmtpError = Partial<NodemailerError> & {
  /** The error code of the system or of OpenSSL, if nodemailer replaced it in `code` with its own. */
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

const untrusted = "the server's certificate is not trusted: name the PEM file of its authority in SMTP_CA_CERT"

const causes: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet: compare the clocks",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name than SMTP_URL has",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_SSL_WRONG_VERSION_NUMBER:
    "the server does not begin with TLS on this port: smtps:// is for port 465, smtp:// for others",
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    "the server does not begin with TLS on this port: smtps:// is for port 465, smtp:// for others",
  ECONNREFUSED: "the server refuses connections",
  ECONNRESET: "the server cuts the connection",
  ENOTFOUND: "the server's name is not known",
  EAI_AGAIN: "the server's name cannot be looked up now",
  EHOSTUNREACH: "no network leads to the server",
  ENETUNREACH: "no network leads to the server",
  ETIMEDOUT: "the server does not answer in time",
  EABORT: "the server does not take mails in time",
  EDNS: "the server's name cannot be looked up",
  ETLS: "the server offers no STARTTLS that works",
  EAUTH: "the server refuses the user or the password of SMTP_URL",
  ENOAUTH: "the server refuses the user or the password of SMTP_URL",
  ECONNECTION: "the server closed the connection",
  EPROTOCOL: "the server does not speak SMTP as it should"
}

/** A refusal (RFC 5321, 4.2) is described by the command that was refused. */
const refusals: Readonly<Record<string, string>> = {
  "MAIL FROM": "the server refuses the sender, MAIL_FROM",
  "RCPT TO": "the server refuses the recipient"
}

/** Describes a mail server's failure. The server's own words are left out: they may quote the recipient. */
export const whyNotSent = (cause: unknown) => {
  const { code = "refused", command = "", originalCode = "", responseCode } = cause as SmtpError
  if (responseCode === 530) return "the server wants a user and a password, or TLS, before it takes mail (530)"
  const status = code === "EAUTH" || code === "ETLS" ? undefined : responseCode
  if (status !== undefined) return `${refusals[command] ?? "the server refuses the mail"} (${status})`
  const reason = [originalCode, code].find((candidate) => candidate in causes)
  return reason === undefined ? originalCode || code : `${causes[reason]} (${reason})`
}
