import type { CDPSession, Locator, Page } from 'playwright-core'

type Credential = Awaited<ReturnType<typeof credentialsOf>>[number]

/**
 * Adds a virtual authenticator like that of a phone: it verifies the user and stores discoverable credentials.
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
    /** Whether user verification succeeds; otherwise ceremonies fail as if cancelled. */
    async setVerified(isVerified: boolean): Promise<void> {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified })
    },
    /** Whether the user responds to ceremonies from now on, including autofill offers; otherwise they stay pending. */
    async setPresent(isPresent: boolean): Promise<void> {
      await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: isPresent })
    },
    /** Lists the stored passkeys. */
    credentials: () => credentialsOf(devtools, authenticatorId),
    /** Replaces the stored passkeys, with their counters, as on a synced device. */
    async replaceCredentials(credentials: readonly Credential[]): Promise<void> {
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
 * Signs in with a passkey whose user was not present until now, and waits for `arrived`.
 *
 * The browser also offers the passkey without a click. If the user accepts that offer first, the button is gone, and the
 * click must not wait for the next page that has one.
 */
export async function signInWithPasskey(page: Page, keys: Keys, arrived: Locator): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in with a passkey', exact: true })
  await button.waitFor()
  await keys.setPresent(true)
  await button.click({ timeout: 2_000 }).catch(() => undefined)
  await arrived.waitFor()
}
