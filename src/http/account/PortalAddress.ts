/** The portal's page reads what stands behind the `#`, which no browser sends to a server, and no log keeps. */
export const portalAddress = (portalUrl: string, told: Readonly<Record<string, string>>) =>
  `${portalUrl}/#${new URLSearchParams(told)}`
