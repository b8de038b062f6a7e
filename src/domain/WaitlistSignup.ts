import { Schema } from "effect"
import { AnsweredId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { AnsweredEmail, EmailAddress, Instant } from "./Scalars.ts"

export const NewSignup = Schema.Struct({ email: EmailAddress }).annotate({ identifier: "NewWaitlistSignup" })

export const Signup = Schema.Struct({ id: AnsweredId, email: AnsweredEmail, createdAt: Instant })
  .annotate({ identifier: "WaitlistSignup" })

export const SignupPage = PageOf(Signup)
