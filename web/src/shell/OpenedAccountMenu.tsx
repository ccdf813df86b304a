import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import type { User } from '@svc/core/contract/accounts.ts'
import { useRef } from 'react'
import { useApiQuery } from '../api/useApiQuery.ts'
import { CopyText } from '../parts/code/CopyText.tsx'
import { Icon } from '../parts/Icon.tsx'
import { followLink } from '../router/navigate.ts'
import { useSignOut } from './useSignOut.ts'

/** The account menu with its button, open at first: the signed-in account, its identifier and the sign-out. */
export function OpenedAccountMenu({ user }: { user: User }) {
  const signOut = useSignOut()
  const target = useRef<HTMLButtonElement>(null)
  // The button that was pressed is gone, so the menu could not return the focus by itself.
  const returnFocus = () => target.current?.focus()
  return (
    <Menu
      defaultOpened
      position="bottom-end"
      width={300}
      returnFocus={false}
      transitionProps={{ onExited: returnFocus }}
    >
      <Menu.Target>
        <ActionIcon ref={target} variant="default" size="lg" aria-label="Account">
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={4} p="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {user.fullName ?? 'Account'}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
          <Text size="xs" c="dimmed" mt={4}>
            Developer identifier
            <Verified />
          </Text>
          <Text size="xs" component="div">
            <CopyText text={user.developerId} name="developer identifier" />
          </Text>
        </Stack>
        <Menu.Divider />
        <Menu.Item component="a" href="/account" onClick={followLink}>
          Account, passkeys and wallets
        </Menu.Item>
        <Menu.Item component="a" href="/docs/">
          Documentation
        </Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Mounted with the open menu only; the session says how it was at the sign-in, and a reviewer may have decided since. */
function Verified() {
  const { data: me } = useApiQuery('GET /api/me')
  return me?.user.kydStatus === 'verified' ? ', verified' : null
}
