import type { CDPSession, Page } from 'playwright-core'

type Credential = Awaited<ReturnType<typeof credentialsOf>>[number]

/**
 * Gives a page a passkey authenticator as of a phone: it verifies its user, and keeps passkeys to sign in with.
 *
 * Source: Chrome DevTools Protocol, domain WebAuthn.
 */
export async function virtualAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether its user is verified; otherwise a ceremony fails as one that was cancelled. */
    async setAgreeing(isAgreeing: boolean): Promise<void> {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isAgreeing })
    },
    /** Whether its user takes what begins from now on, offers that nobody asked for too; otherwise it waits. */
    async setPresent(isPresent: boolean): Promise<void> {
      await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: isPresent })
    },
    /** The passkeys it holds. */
    credentials: () => credentialsOf(devtools, authenticatorId),
    /** Holds these passkeys from now on and no others, with their counters, as a synced authenticator would. */
    async hold(credentials: readonly Credential[]): Promise<void> {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
      for (const credential of credentials) {
        await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
      }
    },
  }
}

async function credentialsOf(devtools: CDPSession, authenticatorId: string) {
  return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
}
