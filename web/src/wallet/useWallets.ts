import { useEffect, useState } from 'react'
import type { WalletChoice, WalletProvider } from './askWallet.ts'

type Announcement = CustomEvent<{
  info?: { uuid?: string; name?: string; icon?: string }
  provider?: WalletProvider
}>

/**
 * Lists the wallets in this browser: those that announce themselves, or else the `window.ethereum` of older wallets.
 *
 * Wallets may announce themselves late, so the list can grow. Source: EIP-6963; EIP-1193.
 */
export function useWallets(): readonly WalletChoice[] {
  const [announced, setAnnounced] = useState<readonly WalletChoice[]>([])
  useEffect(() => {
    const add = (event: Event) => {
      const choice = parseAnnouncement((event as Announcement).detail)
      if (choice === null) return
      setAnnounced((known) => (known.some(({ id }) => id === choice.id) ? known : [...known, choice]))
    }
    window.addEventListener('eip6963:announceProvider', add)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    return () => window.removeEventListener('eip6963:announceProvider', add)
  }, [])
  if (announced.length > 0) return announced
  const { ethereum } = window as { ethereum?: WalletProvider }
  return ethereum === undefined
    ? []
    : [{ id: 'window', name: 'Browser wallet', icon: null, provider: ethereum }]
}

/** Announcements come from browser extensions; a malformed one is ignored. */
function parseAnnouncement(detail: Announcement['detail'] | null): WalletChoice | null {
  const { info, provider } = detail ?? {}
  if (typeof info?.uuid !== 'string' || typeof provider?.request !== 'function') return null
  const icon = typeof info.icon === 'string' && info.icon.startsWith('data:image/') ? info.icon : null
  const name = typeof info.name === 'string' && info.name !== '' ? info.name.slice(0, 60) : 'Browser wallet'
  return { id: info.uuid, name, icon, provider }
}
