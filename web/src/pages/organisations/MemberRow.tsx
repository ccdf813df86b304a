import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { Member } from '@svc/core/contract/accounts.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { type MemberAction, nameOf } from './members.ts'

/** Labels of the buttons; `of` adds the member's name for screen readers. */
const BUTTONS: Record<MemberAction, { label: string; of: (name: string) => string; isDestructive: boolean }> =
  {
    changeRole: { label: 'Change role', of: (name) => `Change role of ${name}`, isDestructive: false },
    suspend: { label: 'Suspend', of: (name) => `Suspend ${name}`, isDestructive: false },
    reinstate: { label: 'Reinstate', of: (name) => `Reinstate ${name}`, isDestructive: false },
    remove: { label: 'Remove', of: (name) => `Remove ${name}`, isDestructive: true },
    takeBack: { label: 'Withdraw', of: (name) => `Withdraw the invitation of ${name}`, isDestructive: true },
    leave: { label: 'Leave', of: () => 'Leave the organisation', isDestructive: true },
  }

type Props = {
  member: Member
  isOwn: boolean
  isLastOwner: boolean
  actions: readonly MemberAction[]
  onAsk: (action: MemberAction) => void
}

/** A member or invitee of an organisation, with the actions available. */
export function MemberRow({ member, isOwn, isLastOwner, actions, onAsk }: Props) {
  const { email, fullName, role, status, createdAt } = member
  const name = revealText(nameOf(member))
  return (
    <Paper withBorder px="md" py="sm" component="article" aria-label={name}>
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ flex: '1 1 220px', minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <StatusBadge value={status} />
            <StatusBadge value={role} />
            {isOwn && (
              <Badge variant="light" color="teal" tt="none" radius="sm">
                You
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {fullName !== null && email !== null && `${revealText(email)} · `}
            {status === 'invited' ? 'invited' : 'joined'} <When time={createdAt} />
          </Text>
          {isOwn && isLastOwner && (
            <Text size="sm" c="dimmed">
              You are the only active owner. Make someone else an owner before you leave or change your role.
            </Text>
          )}
        </Stack>
        {actions.length > 0 && (
          <Group gap="xs">
            {actions.map((action) => {
              const { label, of, isDestructive } = BUTTONS[action]
              return (
                <Button
                  key={action}
                  size="xs"
                  {...(isDestructive ? { variant: 'light', color: 'red' } : { variant: 'default' })}
                  onClick={() => onAsk(action)}
                  aria-label={of(name)}
                >
                  {label}
                </Button>
              )
            })}
          </Group>
        )}
      </Group>
    </Paper>
  )
}
