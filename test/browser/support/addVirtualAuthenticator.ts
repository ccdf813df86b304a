import type { CDPSession, Locator, Page } from 'playwright-core'

type Credential = Awaited<ReturnType<typeof credentialsOf>>[number]

/**
 * Gives a page a passkey authenticator as of a phone: it verifies its user, and keeps passkeys to sign in with.
 *
 * Source: Chrome DevTools Protocol, domain WebAuthn.
 */
export async function addVirtualAuthenticator(page: Page) {
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

type Keys = Pick<Awaited<ReturnType<typeof addVirtualAuthenticator>>, 'setPresent'>

/**
 * Signs in with a passkey whose user was away until now, and waits for what is then there.
 *
 * The browser offers the passkey without a click as well: where its user is seen to take that first, the button is gone.
 */
export async function signInWithPasskey(page: Page, keys: Keys, arrived: Locator): Promise<void> {
  await keys.setPresent(true)
  const button = page.getByRole('button', { name: 'Sign in with a passkey', exact: true })
  button.click().catch(() => undefined)
  await arrived.waitFor()
}
