import { ActionIcon } from '@mantine/core'
import type { User } from '@svc/core/contract/accounts.ts'
import { Suspense, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { loadLater } from '../router/loadLater.ts'

const OpenedAccountMenu = loadLater(async () => (await import('./OpenedAccountMenu.tsx')).OpenedAccountMenu)

/** The button of the account menu. What floats is a fifth of the code of a page, and is loaded once it is needed. */
export function AccountMenu({ user }: { user: User }) {
  const [isNeeded, setNeeded] = useState(false)
  const button = (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Account"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void OpenedAccountMenu.loadAhead().catch(() => null)}
      onClick={() => setNeeded(true)}
    >
      <Icon name="person" />
    </ActionIcon>
  )
  if (!isNeeded) return button
  return (
    <Suspense fallback={button}>
      <OpenedAccountMenu user={user} />
    </Suspense>
  )
}
