import { Mailer } from "./Mailer.ts"

/** `MailOutbox` sends the mails beside the requests (layers/Background.ts), so it is not in it. */
export const MailLayer = Mailer.layer
