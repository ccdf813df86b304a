import type { Locator, Page } from 'playwright-core'
import type { virtualAuthenticator } from './virtualAuthenticator.ts'

type Keys = Pick<Awaited<ReturnType<typeof virtualAuthenticator>>, 'setPresent'>

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
