import { englishPdfWords } from "../../../shared/pdf/PdfWords.ts"

const many = (count: number, one: string) => count === 1 ? `1 ${one}` : `${count} ${one}s`

/** The words of the veteran's documents, in English, which is the source. */
export const english = {
  title: "My documents",
  sharing: "Only those whose share has your documents in it can read them.",
  add: {
    title: "Add a photo or file",
    hint: "Photo or file (PDF, JPEG, PNG, 25 MB)",
    choose: "Choose a photo or file",
    camera: "Take a photo",
    reading: "Getting it ready",
    one: "Choose one file at a time.",
    /** Why a file is not taken. */
    refusals: {
      empty: "This file is empty. Choose another one.",
      unreadable: "This file can’t be read. It may be a folder, or it changed meanwhile. Choose it again.",
      too_large: "This file is larger than 25 MB. Make it smaller, then choose it again.",
      too_many_pixels: "This picture is too large for this page. Make it smaller, or take a new photo.",
      broken: "This picture is broken, or this browser can’t open it. Take a photo of it instead.",
      heic: "This browser can’t open this kind of photo (HEIC). Take a new photo here, or save it as JPEG first."
    }
  },
  chosen: {
    title: "Check it, then save it",
    photo: "This is what is saved. Place and device are taken out.",
    photoName: "The photo as it is saved",
    exact: "It is kept as it is, with all that is in it.",
    pdf: "A PDF is kept as it is, with all that is in it.",
    kind: "Kind",
    size: "Size",
    name: "Name",
    nameHint: "You can change it.",
    nameless: "Give it a name.",
    locks: "If the app locks, you choose it again. This device keeps no copy.",
    save: "Save",
    other: "Do not save",
    sending: "Sending",
    sent: (sent: string, all: string) => `${sent} of ${all}`,
    saving: "Saving",
    cancel: "Cancel",
    looking: "Looking whether it was saved"
  },
  news: {
    saved: "Saved:",
    savedMeanwhile: "It was saved before you pressed Cancel. You can delete it below:",
    cancelled: "Cancelled. Nothing was saved.",
    lost: {
      title: "The connection was lost",
      text: "It was not saved. Try again."
    },
    doubt: {
      title: "We don’t know whether it was saved",
      text: "We can’t reach the service. We keep asking. Stay on this page until it says more."
    },
    deleted: "Deleted:"
  },
  problems: {
    unsupported_media_type: {
      title: "This kind of file can’t be kept",
      text: "Nothing was saved. Save it as PDF, JPEG or PNG, then choose it again."
    },
    payload_too_large: { title: "This file is too large", text: "Nothing was saved. Up to 25 MB can be kept." },
    conflict: {
      title: "Your documents are full",
      text: "Nothing was saved. Delete some that you no longer need, then try again."
    }
  },
  files: {
    title: "Photos and files",
    none: "Nothing here yet.",
    noneSoFar: "None among the newest. Show more below.",
    about: (kind: string, size: string, day: string) => `${kind}, ${size}, added ${day}`
  },
  releases: {
    title: "Signed releases",
    none: "You have not signed a release.",
    sign: "Sign a release",
    to: (name: string) => `Release to ${name}`,
    about: (size: string, day: string) => `PDF, ${size}, signed ${day}`,
    status: {
      in_force: "In force",
      expired: "Ended",
      revoked: "You ended it",
      superseded: "Replaced"
    },
    until: (day: string) => `In force until ${day}.`,
    expired: (day: string) => `It ended ${day}.`,
    revoked: (day: string) => `It was ended ${day}.`,
    superseded: "A newer release took its place.",
    links: "Links",
    noLinks: "No link leads to it.",
    linkFor: "Link for",
    link: {
      read: "read",
      codeSent: "opened, code sent, not read yet",
      opened: "opened, not read yet",
      mailed: "mailed, not opened yet",
      made: "not opened yet"
    },
    linkUntil: (day: string) => `works until ${day}`,
    endedLinks: (count: number) => `${many(count, "link")} that no longer ${count === 1 ? "works" : "work"}`,
    makeLink: "Make a link",
    change: "Change",
    inForce: "While it is in force, it can’t be deleted.",
    end: "End it, or turn off a link"
  },
  ways: {
    show: "Show",
    hide: "Hide",
    save: "Save",
    saveRecord: "Save the record in it (FHIR)",
    saveShape: "Save it all: record, consent and PDF (FHIR)",
    remove: "Delete",
    getting: "Getting the file"
  },
  more: "Show more",
  remove: {
    title: "Delete this?",
    file: "It is removed for good. We can’t take back what others read, printed or saved.",
    release:
      "It leaves this list, and its links show nothing. A release that was shown is kept 6 years by law, unseen.",
    needed: {
      title: "A release needs this file",
      text: "Nothing was deleted. End that release first in Sharing."
    },
    keep: "Keep it"
  },
  pdf: englishPdfWords
}

/** Every other language has the same keys. A missing one does not compile. */
export type DocumentsWords = typeof english
