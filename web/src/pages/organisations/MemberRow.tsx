import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { Member } from '../../api/types.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { visibleText } from '../../parts/visibleText.ts'
import { When } from '../../parts/When.tsx'
import { type MemberAction, nameOf } from './members.ts'

/** The words of a button, the same for those who hear whom it is about. */
const BUTTONS: Record<MemberAction, { label: string; of: (name: string) => string; isHard: boolean }> = {
  changeRole: { label: 'Change role', of: (name) => `Change role of ${name}`, isHard: false },
  suspend: { label: 'Suspend', of: (name) => `Suspend ${name}`, isHard: false },
  reinstate: { label: 'Reinstate', of: (name) => `Reinstate ${name}`, isHard: false },
  remove: { label: 'Remove', of: (name) => `Remove ${name}`, isHard: true },
  takeBack: { label: 'Take back', of: (name) => `Take back the invitation of ${name}`, isHard: true },
  leave: { label: 'Leave', of: () => 'Leave the organisation', isHard: true },
}

type Props = {
  member: Member
  isOwn: boolean
  isLastOwner: boolean
  actions: readonly MemberAction[]
  onAsk: (action: MemberAction) => void
}

/** A member of an organisation, or an address that is invited, and what may be done about it. */
export function MemberRow({ member, isOwn, isLastOwner, actions, onAsk }: Props) {
  const { email, fullName, role, status, createdAt } = member
  const name = visibleText(nameOf(member))
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
            {fullName !== null && email !== null && `${visibleText(email)} · `}
            {status === 'invited' ? 'invited' : 'joined'} <When time={createdAt} />
          </Text>
          {isOwn && isLastOwner && (
            <Text size="sm" c="dimmed">
              The only active owner stays one: make somebody else an owner before you leave or step down.
            </Text>
          )}
        </Stack>
        {actions.length > 0 && (
          <Group gap="xs">
            {actions.map((action) => {
              const { label, of, isHard } = BUTTONS[action]
              return (
                <Button
                  key={action}
                  size="xs"
                  {...(isHard ? { variant: 'light', color: 'red' } : { variant: 'default' })}
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
