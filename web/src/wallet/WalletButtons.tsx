import { Button, Image, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { FailureNote } from '../parts/FailureNote.tsx'
import { Icon } from '../parts/Icon.tsx'
import type { WalletProvider } from './askWallet.ts'
import { useWallets } from './useWallets.ts'

type Props = {
  /** Text before the name of the wallet. */
  label: string
  onChoose: (provider: WalletProvider) => Promise<void>
  /** Called, too, with each failure that is shown. */
  onFailure?: (error: unknown) => void
}

/** A button for each wallet in this browser. */
export function WalletButtons({ label, onChoose, onFailure }: Props) {
  const wallets = useWallets()
  const use = useMutation({ mutationFn: onChoose, ...(onFailure && { onError: onFailure }) })
  if (wallets.length === 0) return null
  return (
    <Stack gap="xs">
      {wallets.map(({ id, name, icon, provider }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={use.isPending && use.variables === provider}
          disabled={use.isPending && use.variables !== provider}
          leftSection={
            icon === null ? <Icon name="wallet" /> : <Image src={icon} alt="" w={18} h={18} radius={4} />
          }
          onClick={() => use.mutate(provider)}
        >
          {label} {name}
        </Button>
      ))}
      <FailureNote error={use.error} />
    </Stack>
  )
}
