/** Names the draft of an address by which a share found nobody. A release begins with it. It is in memory only. */
export const carriedEmail = "a release's e-mail"
