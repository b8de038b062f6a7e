import type { Page } from "playwright-core"

/**
 * Gives a page's browser an authenticator (Chromium's virtual one), which makes passkeys and touches by itself. `turn`
 * changes whether the person is there.
 */
export const openAuthenticator = async (page: Page, transport: "internal" | "usb" = "internal") => {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return {
    credentials: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.map(({ credentialId }) =>
        credentialId
      ),
    turn: (enabled: boolean) => session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    /** The person is not recognised, as a person who closes the browser's question. */
    recognise: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })
  }
}
