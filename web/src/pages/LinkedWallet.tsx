import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../api/useChange.ts'
import { ConfirmModal } from '../parts/ConfirmModal.tsx'
import { CopyText } from '../parts/CopyText.tsx'

/** A wallet that is linked to the account, and the way to take it from it. */
export function LinkedWallet({ address }: { address: string }) {
  const [isAsked, setAsked] = useState(false)
  const change = useChange({ touches: ['/api/me', '/api/auth/sessions'] })
  return (
    <Group justify="space-between" gap="sm">
      <CopyText text={address} name="wallet address" />
      <Button
        variant="light"
        color="red"
        size="xs"
        onClick={() => setAsked(true)}
        aria-label={`Remove the wallet ${address}`}
      >
        Remove
      </Button>
      <ConfirmModal
        opened={isAsked}
        title="Remove this wallet?"
        action="Remove the wallet"
        change={change}
        onConfirm={() => change.mutate({ method: 'DELETE', path: `/api/auth/wallets/${address}` })}
        onClose={() => setAsked(false)}
      >
        It signs in to this account no more, and the other sessions that a wallet opened end. The agents that
        its key registered stay here; the key can no longer act for them.
      </ConfirmModal>
    </Group>
  )
}
