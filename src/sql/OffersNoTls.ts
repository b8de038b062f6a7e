/** Stands for an error code: neither driver gives one if the server refuses TLS. */
export const withoutTls = "NO_TLS"

export const offersNoTls = "the server offers no TLS (PostgreSQL: ssl = on)"
