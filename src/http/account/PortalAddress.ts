/** The parameters follow the `#`: browsers send that part to no server, so no log keeps it. */
export const portalAddress = (portalUrl: string, parameters: Readonly<Record<string, string>>) =>
  `${portalUrl}/#${new URLSearchParams(parameters)}`
