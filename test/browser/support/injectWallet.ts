import type { Page } from 'playwright-core'
import type { PrivateKeyAccount } from 'viem/accounts'

/** Injects a wallet with one key into every document that the page loads from now on. Source: EIP-6963, EIP-1193. */
export async function injectWallet(
  page: Page,
  account: PrivateKeyAccount,
  name = 'Test wallet',
): Promise<void> {
  const sign = (raw: string) => account.signMessage({ message: { raw: raw as `0x${string}` } })
  await page.exposeFunction('signWithTestWallet', sign)
  await page.addInitScript(
    ({ address, name }) => {
      const provider = {
        async request({ method, params }: { method: string; params?: string[] }) {
          if (method === 'eth_requestAccounts') return [address]
          if (method !== 'personal_sign') throw { code: 4200, message: `no ${method}` }
          const { signWithTestWallet } = window as unknown as {
            signWithTestWallet(raw?: string): Promise<string>
          }
          return signWithTestWallet(params?.[0])
        },
      }
      const detail = { info: { uuid: '1', name, icon: 'data:image/svg+xml,', rdns: 'test' }, provider }
      const announce = () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) }))
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    { address: account.address, name },
  )
}
