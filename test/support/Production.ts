/** The variables that production needs besides the database's. Each secret has a different value. */
export const production = {
  APP_ENV: "production",
  NODE_ENV: "production",
  UPLOAD_DIR: "uploads",
  VETERAN_SESSION_EXCHANGE_SECRET: "exchange secret of the production tests",
  APP_SECRET: "app secret of the production tests, 32 bytes",
  PROVIDER_JWT_SECRET: "provider secret of the production tests, 32 bytes",
  OAUTH_JWT_SECRET: "oauth secret of the production tests, 32 bytes",
  OAUTH_ISSUER: "https://api.example.org/api/oauth",
  IDENTITY_ASSERTION_SECRET: "identity secret of the production tests, 32 bytes",
  WEBHOOK_SECRET: "webhook secret of the production tests, 32 bytes",
  PROOF_DRAINER_SECRET: "drainer secret of the production tests, 32 bytes",
  INTERNAL_ADMIN_SECRET: "admin secret of the production tests, 32 bytes",
  TOKEN_ENCRYPTION_KEY: `first:${Buffer.from("the first key of production tests").toString("base64", 0, 32)},second:${
    Buffer.from("the second key of production test").toString("base64", 0, 32)
  }`,
  PROVIDER_PORTAL_URL: "https://portal.example.org",
  SMTP_URL: "smtps://mail.example.org",
  MAIL_FROM: "records@example.org",
  ADMIN_EMAIL: "admin@example.org"
}
