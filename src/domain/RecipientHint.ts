/** Masks the e-mail address of a link's recipient, so that its veteran recognizes the link: `j•••@example.org`. */
export const recipientHint = (email: string): string => `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf("@"))}`
