import { crisisLine } from "../../domain/CrisisLine.ts"
import type { NoticeFacts } from "../../domain/Notices.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { momentIn } from "../platform/Instants.ts"
import type {
  AccountNoticeFacts,
  AppCodeFacts,
  AppNoticeFacts,
  DeletionNoticeFacts,
  EmailChangedFacts,
  ExportFacts,
  InvitationFacts,
  LinkCodeFacts,
  LinkNoticeFacts,
  PairingCodeFacts,
  PasswordChangedFacts,
  PasswordLinkFacts,
  SeveralFacts
} from "./MailFacts.ts"
import { noticed } from "./NoticeWords.en.ts"

const never = "We never ask for a password."

const notYours =
  "Open the app, go to Account, and sign out everywhere. Then change your password at the VA, and call the operator of this service."

const notYou = `It was not you? ${notYours}`

const theApp = (name: string | undefined) => name === undefined ? "an app" : `the app "${name}"`

const consentTab = "the Consent tab of the app where your records are kept"

/**
 * The words of every mail, in plain language. No mail names the veteran or contains anything of the record
 * (specification, "What the service does" 4). A link or a code is only in this language's part, which comes first.
 */
export const english = {
  /** Tells a reader of this language, at the top, that their part follows below. */
  below: "English: see below.",

  invitation: ({ host, name, until, url }: InvitationFacts) => [
    name === undefined ? "Hello," : `${name},`,
    `A veteran shares a document with you through ${serviceName} (${host}).`,
    `Open it by ${momentIn("en", until)}:`,
    { link: url },
    "We then ask for a code, which we send to this e-mail address. The document is for you alone: do not forward this mail.",
    never,
    `You did not expect this? Delete this mail. To see who we are, type ${host} into your browser yourself.`
  ],

  linkCode: ({ code, host, isForApps, minutes, name, site }: LinkCodeFacts) => [
    name === undefined ? "Hello," : `${name},`,
    { words: "Your code is", code },
    isForApps
      ? `Enter it only in the health app with which you opened the veteran's link, or at ${host}, on the page of ${serviceName}. The address of that page begins with:`
      : `Enter it only at ${host}, on the page of ${serviceName} where you asked for it. The address of that page begins with:`,
    { link: site },
    `It is good for ${minutes} minutes and works once. Do not give it to anybody. ${never}`,
    isForApps
      ? "You did not open such a link, and the veteran is not with you? Delete this mail. Without the code, nobody can open the document."
      : "You did not ask for a code? Delete this mail. Without the code, nobody can open the document."
  ],

  appCode: ({ app, code, host, minutes }: AppCodeFacts) => [
    { words: "Your code is", code },
    `It is for ${
      theApp(app)
    }, which asks to read your records. Enter it only at ${host}, on the page of ${serviceName} where you asked for it.`,
    `It is good for ${minutes} minutes and works once. Do not give it to anybody, not even to the makers of the app. ${never}`,
    "You did not ask for a code? Delete this mail. Without the code, the app cannot read anything.",
    crisisLine.en
  ],

  link_opened: ({ at, hint }: LinkNoticeFacts) => [
    `Your secure link to ${hint} was opened for the first time on ${momentIn("en", at)}.`,
    `You did not expect this? Turn the link off on ${consentTab}. It stops working at once.`,
    crisisLine.en
  ],

  link_viewed: ({ at, hint }: LinkNoticeFacts) => [
    `The recipient of your secure link to ${hint} viewed the document on ${momentIn("en", at)}.`,
    `You did not expect this? Turn the link off on ${consentTab}. It stops working at once.`,
    crisisLine.en
  ],

  link_locked: ({ at, hint }: LinkNoticeFacts) => [
    `Your secure link to ${hint} was turned off on ${momentIn("en", at)}, after too many wrong codes.`,
    `Does the recipient still need the document? Make a new link on ${consentTab}.`,
    crisisLine.en
  ],

  app_connected: ({ app, at }: AppNoticeFacts) => [
    `You let ${theApp(app)} read your records, on ${momentIn("en", at)}.`,
    `This was not you, or you have changed your mind? You can end the app's access at any time, on ${consentTab}. It then reads nothing more. The app may keep what it has read before.`,
    crisisLine.en
  ],

  app_replayed: ({ app, at }: AppNoticeFacts) => [
    `We ended the access of ${theApp(app)} to your records on ${
      momentIn("en", at)
    }, because its key was used a second time.`,
    `Somebody may have copied the key. You can see what was read on ${consentTab}. If you still want the app, connect it again.`,
    crisisLine.en
  ],

  pairing_code: ({ code, host, minutes }: PairingCodeFacts) => [
    `Somebody signed in at the VA wants to see your record in ${serviceName}. If it is not you, tell nobody this code.`,
    { words: "Your code is", code },
    `Enter it only at ${host}, where you signed in. It is good for ${minutes} minutes and works once. ${never}`,
    "You did not sign in? Delete this mail. Without the code, nobody can see your record.",
    crisisLine.en
  ],

  new_device: ({ at }: AccountNoticeFacts) => [
    `A new device signed in to your ${serviceName} on ${momentIn("en", at)}.`,
    `Was it you? Then there is nothing to do. ${notYou}`,
    crisisLine.en
  ],

  identity_added: ({ at }: AccountNoticeFacts) => [
    `A further account of the VA can open your record in ${serviceName}. It was added on ${momentIn("en", at)}.`,
    `Was it you? Then there is nothing to do. ${notYou}`,
    crisisLine.en
  ],

  identity_removed: ({ at }: AccountNoticeFacts) => [
    `An account of the VA can no longer open your record in ${serviceName}. This was changed on ${
      momentIn("en", at)
    }, and all your devices were signed out.`,
    "You did not expect this? Call the operator of this service.",
    crisisLine.en
  ],

  passkey_added: ({ at }: AccountNoticeFacts) => [
    `A passkey for your ${serviceName} was added on ${
      momentIn("en", at)
    }. With it, a face, a fingerprint or a screen lock opens your record.`,
    `Was it you? Then there is nothing to do. ${notYou}`,
    crisisLine.en
  ],

  passkey_removed: ({ at }: AccountNoticeFacts) => [
    `A passkey for your ${serviceName} was removed on ${momentIn("en", at)}. It no longer opens your record.`,
    `Was it you? Then there is nothing to do. ${notYou}`,
    crisisLine.en
  ],

  provider_email_changed: ({ at, to }: EmailChangedFacts) => [
    to === "old"
      ? `The e-mail address of your account at ${serviceName} was changed on ${
        momentIn("en", at)
      }. You no longer sign in with this address, and no mail about your account comes here any more.`
      : `The e-mail address of your account at ${serviceName} was changed to this one on ${
        momentIn("en", at)
      }. Sign in with this address from now on. Your password stays as it is.`,
    "You did not expect this? Call the operator of this service."
  ],

  veteran_email_changed: ({ at, to }: EmailChangedFacts) => [
    to === "old"
      ? `The e-mail address of your ${serviceName} was changed on ${
        momentIn("en", at)
      }. No more mails about your records come to this address, and a code that we sent here no longer works.`
      : `The e-mail address of your ${serviceName} was changed to this one on ${
        momentIn("en", at)
      }. Mails about your records come here from now on.`,
    "You did not expect this? Call the operator of this service.",
    crisisLine.en
  ],

  password_link: ({ host, until, url, why }: PasswordLinkFacts) => [
    {
      registered:
        `An account was made for you in ${serviceName} (${host}). With it, you see the records that veterans share with you.`,
      forgotten: `Somebody asked for a new password for your account in ${serviceName} (${host}).`,
      operator: `The operator of ${serviceName} (${host}) sends you this link, so that you can choose a password.`
    }[why],
    `Choose your password by ${momentIn("en", until)}:`,
    { link: url },
    `The link works once. If you get several of these mails, only the newest link works. Is it too late? Go to ${host} and choose "Forgot your password?".`,
    why === "forgotten"
      ? "You did not ask for it? Delete this mail. Your password stays as it is."
      : "You did not expect this? Delete this mail, and tell the operator of this service.",
    `We never ask for your password by mail or phone. Choose it only at ${host}.`
  ],

  password_changed: ({ at, host }: PasswordChangedFacts) => [
    `The password of your account in ${serviceName} (${host}) was changed on ${momentIn("en", at)}.`,
    "You were signed out on all other devices.",
    `Was it you? Then there is nothing to do. It was not you? Go to ${host}, choose "Forgot your password?", and set a new password. Then call the operator of this service.`
  ],

  access_ended: ({ at }: AccountNoticeFacts) => [
    `The operator of ${serviceName} ended all access to your record on ${momentIn("en", at)}.`,
    "All your devices were signed out. Nobody with whom you shared your record can read it here now: no provider, no app and no link. What they saved before stays with them.",
    "To go on, sign in again, and share again with whom you want. You did not expect this? Call the operator of this service.",
    crisisLine.en
  ],

  deletion_asked: ({ at, until }: DeletionNoticeFacts) => [
    `On ${
      momentIn("en", at)
    } we were asked to delete your record and your account in ${serviceName}. We will do so on ${
      momentIn("en", until)
    }.`,
    "Nobody with whom you shared your record can read it here now. Until then you can still sign in, read your record and save a copy.",
    "You do not want this, or it was not you? Open the app, go to Account, and cancel the deletion. Or call the operator of this service.",
    "We keep what the law asks us to keep: releases that somebody was shown, for at least six years, and the account of who read your record, which has no names.",
    crisisLine.en
  ],

  deletion_cancelled: ({ at }: AccountNoticeFacts) => [
    `The deletion of your record in ${serviceName} was cancelled on ${momentIn("en", at)}. Nothing is deleted.`,
    "What you had shared stays ended. Share again with whom you want.",
    `You did not expect this? ${notYours}`,
    crisisLine.en
  ],

  deletion_done: ({ at }: AccountNoticeFacts) => [
    `Your record and your account in ${serviceName} were deleted on ${
      momentIn("en", at)
    }. This is our last mail to you.`,
    "We keep what the law asks us to keep: releases that somebody was shown, for at least six years, and the account of who read your record, which has no names. Backups that hold the rest are deleted in their time.",
    "Your records at the VA are not touched. Those with whom you shared before may keep what they have."
  ],

  email_code: ({ code, host, minutes }: PairingCodeFacts) => [
    `Somebody wants ${serviceName} to write to this address. If it is not you, tell nobody this code.`,
    { words: "Your code is", code },
    `Enter it only at ${host}, where you asked for it. It is good for ${minutes} minutes and works once. ${never}`,
    "You did not ask for it? Delete this mail. Nothing changes without the code."
  ],

  export_made: ({ at, byOperator }: ExportFacts) => [
    `A copy of all your data in ${serviceName} was made on ${momentIn("en", at)}, ${
      byOperator ? "by the operator of this service" : "from your account"
    }.`,
    byOperator
      ? "You did not ask for it? Call the operator of this service."
      : `Was it you? Then keep the copy in a safe place. ${notYou}`,
    crisisLine.en
  ],

  /** Tells what was too much for single mails. */
  several: ({ more, told }: SeveralFacts) => [
    `Much happened in your ${serviceName}. So that you do not get too many mails, this one tells what happened, the newest first.`,
    ...told,
    ...(more === 0 ? [] : [
      `Besides, we would have sent you ${
        more === 1 ? "one more mail" : `${more} more mails`
      } about what happened before. To see it, open the app and go to “Who looked.”`
    ]),
    `Was all of it you? Then there is nothing to do. ${notYou}`,
    crisisLine.en
  ],

  noticed,

  notice: (facts: NoticeFacts) => [
    ...noticed(facts),
    "You choose in the app about what we write to you: go to Account, then Notices.",
    crisisLine.en
  ]
}

export type MailWords = typeof english
