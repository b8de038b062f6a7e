import { Schema } from "effect"
import { PageOf } from "./Page.ts"
import { EmailAddress, Instant } from "./Scalars.ts"

export const NewSignup = Schema.Struct({ email: EmailAddress }).annotate({ identifier: "NewWaitlistSignup" })

export const Signup = Schema.Struct({ id: Schema.String, email: Schema.String, createdAt: Instant })
  .annotate({ identifier: "WaitlistSignup" })

export const SignupPage = PageOf(Signup)
